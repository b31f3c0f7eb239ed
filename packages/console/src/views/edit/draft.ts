/** What is typed into the form of a price, as texts: whatever it is, it stays there until it is saved or discarded. */
import { v4 as newId } from 'uuid';
import type { Schemas } from '../../api/client';
import { instantOf } from '../../ui/instant';

export type Adjustment = Schemas['Adjustment'];
export type Kind = Adjustment['type'];
type AmountKind = 'override' | 'percent' | 'fixedAmount';

/** Whose price it is: that of a product, or what the book has for all products. */
export type Scope = 'product' | 'all';

/** A row of any table; each kind uses some of the cells. */
export interface Row {
  readonly id: string;
  readonly value: string;
  readonly firstUnit: string;
  readonly lastUnit: string;
  readonly unitPrice: string;
}

export interface Draft {
  readonly productId: string;
  readonly currency: string;
  readonly kind: Kind;
  /** Each kind keeps its own, so that 10 % does not become a price of 10. */
  readonly amounts: Readonly<Record<AmountKind, string>>;
  readonly property: string;
  /** Of prices by value. */
  readonly values: readonly Row[];
  /** Of ranges and tiers. */
  readonly units: readonly Row[];
  readonly roundTo: string;
  readonly ending: string;
  /** In the zone of the reader, as the control has it. */
  readonly validFrom: string;
  readonly validUntil: string;
  /** Why it is changed. */
  readonly reason: string;
}

export const newRow = (cells: Partial<Row> = {}): Row => ({
  id: newId(),
  value: '',
  firstUnit: '',
  lastUnit: '',
  unitPrice: '',
  ...cells,
});

export const emptyDraft = (productId: string, currency: string, kind: Kind): Draft => ({
  productId,
  currency,
  kind,
  amounts: { override: '', percent: '', fixedAmount: '' },
  property: '',
  values: [newRow()],
  units: [newRow({ firstUnit: '1' })],
  roundTo: '',
  ending: '',
  validFrom: '',
  validUntil: '',
  reason: '',
});

const textOf = (number: number | null | undefined): string =>
  number === null || number === undefined ? '' : String(number);

/** The draft with the fields of an adjustment. */
export const withAdjustment = (draft: Draft, adjustment: Adjustment): Draft => {
  switch (adjustment.type) {
    case 'override':
      return {
        ...draft,
        kind: 'override',
        amounts: { ...draft.amounts, override: textOf(adjustment.amount) },
      };
    case 'percent':
    case 'fixedAmount':
      return {
        ...draft,
        kind: adjustment.type,
        amounts: { ...draft.amounts, [adjustment.type]: textOf(adjustment.amount) },
        roundTo: textOf(adjustment.roundTo),
        ending: textOf(adjustment.ending),
      };
    case 'enum':
      return {
        ...draft,
        kind: 'enum',
        property: adjustment.property,
        values: adjustment.values.map(({ value, unitPrice }) =>
          newRow({ value, unitPrice: textOf(unitPrice) }),
        ),
      };
    case 'range':
    case 'volume':
    case 'graduated': {
      const rows = adjustment.type === 'range' ? adjustment.values : adjustment.tiers;
      return {
        ...draft,
        kind: adjustment.type,
        property: adjustment.type === 'range' ? adjustment.property : draft.property,
        units: rows.map(({ firstUnit, lastUnit, unitPrice }) =>
          newRow({
            firstUnit: textOf(firstUnit),
            lastUnit: textOf(lastUnit),
            unitPrice: textOf(unitPrice),
          }),
        ),
      };
    }
    case 'null':
      return { ...draft, kind: 'null' };
  }
};

/** A number where it is one; other texts are left to be refused, and none is missing. */
const numberOf = (text: string): number | string | undefined => {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(trimmed) ? Number(trimmed) : trimmed;
};

/** What is no time is left to be refused. */
const timeOf = (local: string): string | undefined =>
  local === '' ? undefined : (instantOf(local) ?? local);

const fieldsOf = (draft: Draft): Readonly<Record<string, unknown>> => {
  const { kind } = draft;
  const units = draft.units.map(({ firstUnit, lastUnit, unitPrice }) => ({
    firstUnit: numberOf(firstUnit),
    lastUnit: numberOf(lastUnit) ?? (kind === 'range' ? undefined : null),
    unitPrice: numberOf(unitPrice),
  }));
  switch (kind) {
    case 'override':
      return { amount: numberOf(draft.amounts.override) };
    case 'percent':
    case 'fixedAmount':
      return {
        amount: numberOf(draft.amounts[kind]),
        roundTo: numberOf(draft.roundTo),
        ending: numberOf(draft.ending),
      };
    case 'enum':
      return {
        property: draft.property.trim(),
        values: draft.values.map(({ value, unitPrice }) => ({ value, unitPrice: numberOf(unitPrice) })),
      };
    case 'range':
      return { property: draft.property.trim(), values: units };
    case 'volume':
    case 'graduated':
      return { tiers: units };
    case 'null':
      return { amount: null };
  }
};

export const currencyOf = ({ currency }: Draft): string => currency.trim().toUpperCase();

/** What the draft asks for, which may be refused. */
export const adjustmentOf = (draft: Draft): object => ({
  type: draft.kind,
  ...fieldsOf(draft),
  validFrom: timeOf(draft.validFrom),
  validUntil: timeOf(draft.validUntil),
});

/** The body of Set Product Prices, as it is sent: the same draft always gives the same bytes. */
export const bodyOf = (draft: Draft, scope: Scope): string => {
  const adjustment = adjustmentOf(draft);
  const isDated = draft.validFrom !== '' || draft.validUntil !== '';
  const currency = currencyOf(draft);
  return JSON.stringify(
    scope === 'product'
      ? [{ productId: draft.productId, adjustments: { [currency]: adjustment } }]
      : {
          productId: 'all',
          // Undated, a removal from all products is null itself.
          adjustments: { [currency]: draft.kind === 'null' && !isDated ? null : adjustment },
        },
  );
};
