/** The rows of a table, edited one by one. */
import { useMemo } from 'preact/hooks';
import { newRow, type Row } from './draft';
import type { PlacedFaults } from './faults';

type Cell = 'value' | 'firstUnit' | 'lastUnit' | 'unitPrice';

export interface Column {
  readonly cell: Cell;
  readonly label: string;
}

export const VALUE_COLUMNS: readonly Column[] = [
  { cell: 'value', label: 'Value' },
  { cell: 'unitPrice', label: 'Unit price' },
];
export const UNIT_COLUMNS: readonly Column[] = [
  { cell: 'firstUnit', label: 'From' },
  { cell: 'lastUnit', label: 'To' },
  { cell: 'unitPrice', label: 'Unit price' },
];

type Change = (change: (rows: readonly Row[]) => readonly Row[]) => void;

interface RowProps {
  readonly row: Row;
  readonly place: number;
  readonly columns: readonly Column[];
  /** Of each cell, and of the row as a whole. */
  readonly faults: readonly (string | undefined)[];
  readonly isOnly: boolean;
  readonly onChange: Change;
}

const RowEditor = ({ row, place, columns, faults, isOnly, onChange }: RowProps) => {
  const number = String(place + 1);
  const said = faults.filter((fault) => fault !== undefined);
  // A table may have a thousand rows, of which typing changes one.
  return useMemo(
    () => (
      <>
        <tr>
          {columns.map(({ cell, label }, column) => (
            <td key={cell}>
              <input
                type="text"
                autoComplete="off"
                spellcheck={false}
                class={cell === 'value' ? undefined : 'number'}
                inputMode={cell === 'value' ? undefined : 'decimal'}
                aria-label={`${label}, row ${number}`}
                aria-invalid={faults[column] !== undefined || undefined}
                aria-describedby={said.length > 0 ? `${row.id}-said` : undefined}
                value={row[cell]}
                onInput={({ currentTarget: { value } }) => {
                  onChange((rows) =>
                    rows.map((one) => (one.id === row.id ? { ...one, [cell]: value } : one)),
                  );
                }}
              />
            </td>
          ))}
          <td>
            <button
              type="button"
              class="plain"
              aria-label={`Remove row ${number}`}
              disabled={isOnly}
              onClick={() => {
                onChange((rows) => rows.filter(({ id }) => id !== row.id));
              }}
            >
              ✕
            </button>
          </td>
        </tr>
        {said.length > 0 && (
          <tr class="said">
            <td colSpan={columns.length + 1}>
              <p id={`${row.id}-said`} class="fault">
                {said.join(' ')}
              </p>
            </td>
          </tr>
        )}
      </>
    ),
    [row, place, isOnly, columns, onChange, faults.join('\n')],
  );
};

interface TableEditorProps {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
  /** The field of the adjustment that holds the rows, by which faults point to them. */
  readonly field: 'values' | 'tiers';
  readonly faults: PlacedFaults;
  readonly hint?: string | undefined;
  /** The same at every rendering. */
  readonly onChange: Change;
}

/** Where the last row ends, the next one begins. */
const rowAfter = (last: Row | undefined): Row =>
  newRow(
    last !== undefined && /^\d+$/.test(last.lastUnit) ? { firstUnit: String(Number(last.lastUnit) + 1) } : {},
  );

export const TableEditor = ({
  label,
  rows,
  columns,
  field,
  faults: { at },
  hint,
  onChange,
}: TableEditorProps) => (
  <fieldset class="table-editor stack tight">
    <legend>{label}</legend>
    {hint !== undefined && <p class="soft small">{hint}</p>}
    <table>
      <thead>
        <tr>
          {columns.map(({ cell, label: head }) => (
            <th key={cell} scope="col" class={cell === 'value' ? undefined : 'number'}>
              {head}
            </th>
          ))}
          <th scope="col">
            <span class="hidden">Remove</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          <RowEditor
            key={row.id}
            row={row}
            place={place}
            columns={columns}
            isOnly={rows.length === 1}
            faults={[
              ...columns.map(({ cell }) => at.get(`${field}/${String(place)}/${cell}`)),
              at.get(`${field}/${String(place)}`),
            ]}
            onChange={onChange}
          />
        ))}
      </tbody>
    </table>
    {at.has(field) && <p class="fault">{at.get(field)}</p>}
    <div>
      <button
        type="button"
        onClick={() => {
          onChange((before) => [...before, rowAfter(before.at(-1))]);
        }}
      >
        Add row
      </button>
    </div>
  </fieldset>
);
