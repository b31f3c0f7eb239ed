import { useEffect, useId, useState } from 'preact/hooks';

interface CurrencySelectProps {
  readonly value: string;
  /** Those in which the book has prices: they come first. */
  readonly found: readonly string[];
  readonly onChange: (currency: string) => void;
}

export const CurrencySelect = ({ value, found, onChange }: CurrencySelectProps) => {
  const id = useId();
  // The domain is too large for the first load, and the book's own currencies are there without it.
  const [codes, setCodes] = useState<readonly string[]>([]);
  useEffect(() => {
    import('@pricebook/domain').then(
      ({ currencyCodes }) => {
        setCodes(currencyCodes);
      },
      () => undefined,
    );
  }, []);
  const others = new Set([value, ...codes].filter((code) => code !== '' && !found.includes(code)));
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
        <optgroup label="Others">{[...others].sort().map(option)}</optgroup>
      </select>
    </div>
  );
};
