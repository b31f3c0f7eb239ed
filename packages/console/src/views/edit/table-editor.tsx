/** The rows of a table, edited one by one. */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { counted } from '../../ui/text';
import type { Row } from './draft';
import type { PlacedFaults } from './faults';
import { type Cell, sheetCells, withPasted, withRowAt } from './table-rows';

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
  /** The same at every rendering. */
  readonly onInsert: (place: number) => void;
  readonly onRemove: (place: number) => void;
}

const RowEditor = ({ row, place, columns, faults, isOnly, onChange, onInsert, onRemove }: RowProps) => {
  const number = String(place + 1);
  const said = faults.filter((fault) => fault !== undefined);
  const ofRow = faults[columns.length];
  // A table may have a thousand rows, of which typing changes one.
  return useMemo(
    () => (
      <>
        <tr>
          <th scope="row" class="number place-of-row">
            {number}
          </th>
          {columns.map(({ cell, label }, column) => (
            <td key={cell}>
              <input
                type="text"
                autoComplete="off"
                spellcheck={false}
                class={cell === 'value' ? undefined : 'number'}
                inputMode={cell === 'value' ? undefined : 'decimal'}
                aria-label={`${label}, row ${number}`}
                aria-invalid={(faults[column] ?? ofRow) !== undefined || undefined}
                aria-describedby={said.length > 0 ? `${row.id}-said` : undefined}
                value={row[cell]}
                onInput={({ currentTarget: { value } }) => {
                  onChange((rows) =>
                    rows.map((one) => (one.id === row.id ? { ...one, [cell]: value } : one)),
                  );
                }}
                onPaste={(event) => {
                  const lines = sheetCells(event.clipboardData?.getData('text/plain') ?? '');
                  if (lines === undefined) return;
                  event.preventDefault();
                  const cells = columns.slice(column).map((one) => one.cell);
                  onChange((rows) => withPasted(rows, place, cells, lines));
                }}
              />
            </td>
          ))}
          <td class="of-row">
            <button
              type="button"
              class="plain"
              aria-label={`Insert below row ${number}`}
              title="Insert a row below"
              onClick={() => {
                onInsert(place + 1);
              }}
            >
              +
            </button>
            <button
              type="button"
              class="plain"
              aria-label={`Remove row ${number}`}
              title="Remove this row"
              disabled={isOnly}
              onClick={() => {
                onRemove(place);
              }}
            >
              ✕
            </button>
          </td>
        </tr>
        {said.length > 0 && (
          <tr>
            <td class="place-of-row" />
            <td colSpan={columns.length + 1}>
              <p id={`${row.id}-said`} class="fault">
                {said.join(' ')}
              </p>
            </td>
          </tr>
        )}
      </>
    ),
    [row, place, isOnly, columns, onChange, onInsert, onRemove, faults.join('\n')],
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

export const TableEditor = ({
  label,
  rows,
  columns,
  field,
  faults: { at },
  hint,
  onChange,
}: TableEditorProps) => {
  const body = useRef<HTMLTableSectionElement>(null);
  /** Where the focus goes once the rows are others: to the first box of a new row, to what follows a removed one. */
  const next = useRef<
    { readonly place: number; readonly control: 'input' | 'button:last-child:enabled' } | undefined
  >(undefined);
  useLayoutEffect(() => {
    if (next.current === undefined) return;
    const { place, control } = next.current;
    next.current = undefined;
    const row = body.current?.rows[Math.min(place, rows.length - 1)];
    // The last row cannot be removed.
    const found = row?.querySelector<HTMLElement>(control) ?? row?.querySelector('input');
    found?.focus();
    if (found instanceof HTMLInputElement) found.select();
  }, [rows]);
  const [insert, remove] = useMemo(
    () => [
      (place: number) => {
        next.current = { place, control: 'input' };
        onChange((before) => withRowAt(before, place));
      },
      (place: number) => {
        next.current = { place, control: 'button:last-child:enabled' };
        onChange((before) => before.filter((_, one) => one !== place));
      },
    ],
    [onChange],
  );
  return (
    <fieldset class="table-editor stack tight">
      <legend>{label}</legend>
      {hint !== undefined && <p class="soft small">{hint}</p>}
      <div class="scroller">
        <table>
          <thead>
            <tr>
              <th scope="col" class="place-of-row">
                <span class="hidden">Row</span>
              </th>
              {columns.map(({ cell, label: head }) => (
                <th key={cell} scope="col" class={cell === 'value' ? undefined : 'number'}>
                  {head}
                </th>
              ))}
              <th scope="col" class="of-row">
                <span class="hidden">Insert and remove</span>
              </th>
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((row, place) => (
              <RowEditor
                key={row.id}
                row={row}
                place={place}
                columns={columns}
                isOnly={rows.length === 1}
                faults={
                  at.size === 0
                    ? []
                    : [
                        ...columns.map(({ cell }) => at.get(`${field}/${String(place)}/${cell}`)),
                        at.get(`${field}/${String(place)}`),
                      ]
                }
                onChange={onChange}
                onInsert={insert}
                onRemove={remove}
              />
            ))}
          </tbody>
        </table>
      </div>
      {at.has(field) && <p class="fault">{at.get(field)}</p>}
      <div class="row apart">
        <button
          type="button"
          onClick={() => {
            insert(rows.length);
          }}
        >
          Add row
        </button>
        <span class="soft small">{counted(rows.length, 'row')}. You can paste rows from a spreadsheet.</span>
      </div>
    </fieldset>
  );
};
