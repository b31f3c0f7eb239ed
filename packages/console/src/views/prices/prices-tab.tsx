import { useState } from 'preact/hooks';
import type { BookTabProps } from '../book-tab-props';
import { PriceForm } from '../edit/price-form';

export const PricesTab = ({ book, onChanged }: BookTabProps) => {
  const [isEditing, setEditing] = useState(false);
  return (
    <div>
      <button
        type="button"
        onClick={() => {
          setEditing(true);
        }}
      >
        Set price
      </button>
      {isEditing && (
        <PriceForm
          book={book}
          onSaved={onChanged}
          onClose={() => {
            setEditing(false);
          }}
        />
      )}
    </div>
  );
};
