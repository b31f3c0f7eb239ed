import { currencyCodes } from '@pricebook/domain';
import { useId } from 'preact/hooks';

interface CurrencySelectProps {
  readonly value: string;
  /** Those in which the book has prices: they come first. */
  readonly found: readonly string[];
  readonly onChange: (currency: string) => void;
}

export const CurrencySelect = ({ value, found, onChange }: CurrencySelectProps) => {
  const id = useId();
  const option = (code: string) => (
    <option key={code} value={code}>
      {code}
    </option>
  );
  return (
    <div class="field">
      <label class="label" for={id}>
        Currency
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          onChange(event.currentTarget.value);
        }}
      >
        {found.length > 0 && <optgroup label="In this book">{found.map(option)}</optgroup>}
        <optgroup label="Others">
          {currencyCodes.filter((code) => !found.includes(code)).map(option)}
        </optgroup>
      </select>
    </div>
  );
};
