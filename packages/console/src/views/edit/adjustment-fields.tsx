/** The fields of each kind of adjustment. */
import { useCallback } from 'preact/hooks';
import { SelectField, TextField } from '../../ui/form';
import type { Draft, Scope } from './draft';
import type { PlacedFaults } from './faults';
import { HINTS, kindOptions } from './kinds';
import { TableEditor, UNIT_COLUMNS, VALUE_COLUMNS } from './table-editor';

interface FieldsProps {
  readonly draft: Draft;
  readonly faults: PlacedFaults;
  /** The same at every rendering. */
  readonly onChange: (change: (draft: Draft) => Draft) => void;
}

const Amount = ({ draft, faults, onChange }: FieldsProps) => {
  const { kind } = draft;
  if (kind !== 'override' && kind !== 'percent' && kind !== 'fixedAmount') return null;
  return (
    <TextField
      label="Amount"
      inputMode="decimal"
      value={draft.amounts[kind]}
      fault={faults.at.get('amount')}
      hint={kind === 'percent' ? 'In percent' : undefined}
      onInput={(amount) => {
        onChange((before) => ({ ...before, amounts: { ...before.amounts, [kind]: amount } }));
      }}
    />
  );
};

const Tables = ({ draft, faults, onChange }: FieldsProps) => {
  const { kind } = draft;
  const setValues = useCallback(
    (change: (rows: Draft['values']) => Draft['values']) => {
      onChange((before) => ({ ...before, values: change(before.values) }));
    },
    [onChange],
  );
  const setUnits = useCallback(
    (change: (rows: Draft['units']) => Draft['units']) => {
      onChange((before) => ({ ...before, units: change(before.units) }));
    },
    [onChange],
  );
  if (kind === 'override' || kind === 'percent' || kind === 'fixedAmount' || kind === 'null') return null;
  return (
    <>
      {(kind === 'enum' || kind === 'range') && (
        <TextField
          label="Property"
          hint="What clients send with the request for a price, such as region."
          value={draft.property}
          fault={faults.at.get('property')}
          onInput={(property) => {
            onChange((before) => ({ ...before, property }));
          }}
        />
      )}
      {kind === 'enum' ? (
        <TableEditor
          label="Prices by value"
          rows={draft.values}
          columns={VALUE_COLUMNS}
          field="values"
          faults={faults}
          onChange={setValues}
        />
      ) : (
        <TableEditor
          label={kind === 'range' ? 'Prices by range' : 'Prices by quantity'}
          hint={kind === 'range' ? undefined : 'Leave “To” empty in the last row for no end.'}
          rows={draft.units}
          columns={UNIT_COLUMNS}
          field={kind === 'range' ? 'values' : 'tiers'}
          faults={faults}
          onChange={setUnits}
        />
      )}
    </>
  );
};

const Ending = ({ draft, faults, onChange }: FieldsProps) => {
  if (draft.kind !== 'percent' && draft.kind !== 'fixedAmount') return null;
  return (
    <details open={draft.roundTo !== '' || draft.ending !== '' || undefined}>
      <summary>Rounding</summary>
      <div class="pair">
        <TextField
          label="Round to"
          hint="0.05 for full 5 cents"
          inputMode="decimal"
          value={draft.roundTo}
          fault={faults.at.get('roundTo')}
          onInput={(roundTo) => {
            onChange((before) => ({ ...before, roundTo }));
          }}
        />
        <TextField
          label="Ending"
          hint="0.99, with 1 to round to, gives 19.99"
          inputMode="decimal"
          value={draft.ending}
          fault={faults.at.get('ending')}
          onInput={(ending) => {
            onChange((before) => ({ ...before, ending }));
          }}
        />
      </div>
    </details>
  );
};

const Dates = ({ draft, faults, onChange }: FieldsProps) => (
  <details
    open={
      draft.validFrom !== '' ||
      draft.validUntil !== '' ||
      faults.at.has('validFrom') ||
      faults.at.has('validUntil') ||
      undefined
    }
  >
    <summary>Dates</summary>
    <div class="pair">
      <TextField
        label="Valid from"
        type="datetime-local"
        hint="Now if empty; in your time zone"
        value={draft.validFrom}
        fault={faults.at.get('validFrom')}
        onInput={(validFrom) => {
          onChange((before) => ({ ...before, validFrom }));
        }}
      />
      <TextField
        label="Valid until"
        type="datetime-local"
        hint="Open if empty"
        value={draft.validUntil}
        fault={faults.at.get('validUntil')}
        onInput={(validUntil) => {
          onChange((before) => ({ ...before, validUntil }));
        }}
      />
    </div>
  </details>
);

export const AdjustmentFields = ({ scope, ...props }: FieldsProps & { readonly scope: Scope }) => (
  <>
    <SelectField
      label="Kind"
      value={props.draft.kind}
      options={kindOptions(scope)}
      hint={HINTS[props.draft.kind]}
      onChange={(kind) => {
        props.onChange((before) => ({ ...before, kind }));
      }}
    />
    <Amount {...props} />
    <Tables {...props} />
    <Ending {...props} />
    <Dates {...props} />
  </>
);
