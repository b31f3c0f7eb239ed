/** The boxes that a price is asked with: quantity, what its tables read, and the time. */
import { useState } from 'preact/hooks';
import { TextField } from '../../ui/form';
import { atFault, noQuestion, type Question, quantityFault } from './question';
import type { AskedProperty } from './properties';

interface AskProps {
  readonly properties: readonly AskedProperty[];
  /** The property without which there is no price. */
  readonly missing: string | undefined;
  readonly onAsk: (question: Question) => void;
}

export const Ask = ({ properties, missing, onAsk }: AskProps) => {
  const [draft, setDraft] = useState<Question>(noQuestion);
  const [isChecked, setChecked] = useState(false);
  const fault = isChecked ? quantityFault(draft) : undefined;
  const change = (part: Partial<Question>): void => {
    setDraft({ ...draft, ...part });
  };
  return (
    <form
      class="ask"
      aria-label="What to explain"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (quantityFault(draft) === undefined && atFault(draft) === undefined) onAsk({ ...draft });
      }}
    >
      <TextField
        label="Quantity"
        inputMode="decimal"
        placeholder="1"
        value={draft.quantity}
        fault={fault}
        onInput={(quantity) => {
          change({ quantity: quantity.trim() });
        }}
      />
      {properties.map(({ name, hint, isNumber }) => (
        <TextField
          key={name}
          label={name}
          {...(isNumber && { inputMode: 'decimal' as const })}
          value={draft.properties[name] ?? ''}
          {...(missing === name ? { fault: `Needed for a price. ${hint}` } : { hint })}
          onInput={(value) => {
            change({ properties: { ...draft.properties, [name]: value } });
          }}
        />
      ))}
      <TextField
        label="At"
        type="datetime-local"
        hint="Your time zone. Empty means now."
        fault={isChecked ? atFault(draft) : undefined}
        value={draft.at}
        onInput={(at) => {
          change({ at });
        }}
      />
      <div class="field">
        <span class="label blank" aria-hidden="true">
          &nbsp;
        </span>
        <button type="submit" class="primary">
          Explain
        </button>
      </div>
    </form>
  );
};
