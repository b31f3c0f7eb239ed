/** All kinds of adjustment. A new kind is a file beside this one and an entry in one of the three lists. */
import type Big from 'big.js';
import type { Either } from 'fp-ts/Either';
import { type Reader, taggedBy } from '../codecs/codecs';
import type { Whole } from '../whole-amounts';
import { type Bounds, boundsInWords, withBounds } from './bounds';
import { type Cancellation, cancellationCodec } from './cancel';
import { BOUNDS, type KindColumns } from './columns';
import { enumTableKind } from './enum-table';
import { fixedAmountKind } from './fixed-amount';
import { graduatedKind } from './graduated';
import type { AbsoluteKind, ListPrice, RelativeKind, RemovalKind, RowChoice } from './kind';
import { nullKind } from './null';
import { overrideKind } from './override';
import type { PriceParameters, RowError } from './parameters';
import { percentKind } from './percent';
import { rangeTableKind } from './range-table';
import { volumeKind } from './volume';

const removalKinds = [nullKind];
const absoluteKinds = [overrideKind, enumTableKind, rangeTableKind, volumeKind, graduatedKind];
const relativeKinds = [percentKind, fixedAmountKind];

type Removing = (typeof removalKinds)[number] extends RemovalKind<infer A> ? A : never;
type SayingPrice = (typeof absoluteKinds)[number] extends infer K
  ? K extends AbsoluteKind<infer A>
    ? A
    : never
  : never;
type ChangingPrice = (typeof relativeKinds)[number] extends RelativeKind<infer A> ? A : never;

/** Takes away what a product has in a currency. */
export type Removal = Removing & Bounds;
/** Sets a price. */
export type AbsoluteAdjustment = SayingPrice & Bounds;
/** Changes a price. */
export type RelativeAdjustment = ChangingPrice & Bounds;
/** Changes what holds for all products of a book, or takes it away. */
type AllProductsAdjustment = Removal | RelativeAdjustment;
export type Adjustment = AbsoluteAdjustment | AllProductsAdjustment;
/** What a request may hold for a product and currency. */
export type RequestedAdjustment = Adjustment | Cancellation;
/** What a request may hold for all products in a currency. */
export type RequestedForAll = AllProductsAdjustment | Cancellation;

const byType = <K extends { readonly type: string }>(kinds: readonly K[]): ReadonlyMap<string, K> =>
  new Map(kinds.map((kind) => [kind.type, kind]));

const removals = byType<RemovalKind<Removing>>(removalKinds);
const absolutes = byType<AbsoluteKind<SayingPrice>>(absoluteKinds);
const relatives = byType<RelativeKind<ChangingPrice>>(relativeKinds);

/** Each kind may be dated, whatever it says. */
const readersOf = <A extends object>(
  ...kinds: readonly ReadonlyMap<string, { readonly codec: Reader<A> }>[]
): Readonly<Record<string, Reader<A & Bounds>>> =>
  Object.fromEntries(kinds.flatMap((map) => [...map].map(([type, { codec }]) => [type, withBounds(codec)])));

const cancel: Readonly<Record<string, Reader<Cancellation>>> = { cancel: cancellationCodec };

/** Any adjustment. */
export const adjustmentCodec = taggedBy<Adjustment>(
  'Adjustment',
  'type',
  readersOf<Removing | SayingPrice | ChangingPrice>(removals, absolutes, relatives),
);

/** As Set Product Prices takes it for a product. */
export const requestedAdjustmentCodec = taggedBy<RequestedAdjustment>('RequestedAdjustment', 'type', {
  ...readersOf<Removing | SayingPrice | ChangingPrice>(removals, absolutes, relatives),
  ...cancel,
});

/** What says a price, as explanations show it. */
export const absoluteAdjustmentCodec = taggedBy(
  'AbsoluteAdjustment',
  'type',
  readersOf<SayingPrice>(absolutes),
);

/** What can stand for a product, as lists show it. */
export const standingAdjustmentCodec = taggedBy(
  'StandingAdjustment',
  'type',
  readersOf<SayingPrice | ChangingPrice>(absolutes, relatives),
);

export const relativeAdjustmentCodec = taggedBy(
  'RelativeAdjustment',
  'type',
  readersOf<ChangingPrice>(relatives),
);

/** As Set Product Prices takes it for all products, beside JSON null. */
export const requestedForAllCodec = taggedBy<RequestedForAll>('AllProductsAdjustment', 'type', {
  ...readersOf<Removing | ChangingPrice>(removals, relatives),
  ...cancel,
});

export const isRemoval = (adjustment: Adjustment): adjustment is Removal => removals.has(adjustment.type);

/** What an adjustment does to a price. */
export type Role = 'removal' | 'absolute' | 'relative' | 'cancel';

/** What a requested adjustment does to what a holder has. */
export const roleOf = ({ type }: RequestedAdjustment): Role => {
  if (type === 'cancel') return 'cancel';
  if (removals.has(type)) return 'removal';
  return absolutes.has(type) ? 'absolute' : 'relative';
};

export const isAbsolute = (adjustment: Adjustment): adjustment is AbsoluteAdjustment =>
  absolutes.has(adjustment.type);

const kindOf = <K>(kinds: ReadonlyMap<string, K>, type: string): K => {
  const kind = kinds.get(type);
  // The unions above are made from the same lists: only a value that went around the codecs gets here.
  if (kind === undefined) throw new TypeError(`no adjustment is of the kind ${type}`);
  return kind;
};

/** What an absolute adjustment says for these parameters. */
export const listPriceOf = (
  adjustment: AbsoluteAdjustment,
  parameters: PriceParameters,
): Either<RowError, ListPrice> => kindOf(absolutes, adjustment.type).listPrice(adjustment, parameters);

/** The same adjustment with other prices: each as `of` answers for the one that it takes the place of. */
export const withPrices = (
  adjustment: AbsoluteAdjustment,
  of: (price: number) => number,
): AbsoluteAdjustment => kindOf(absolutes, adjustment.type).withPrices(adjustment, of);

/** What chooses each row of an absolute adjustment; none where it has no table. */
export const choicesOf = (adjustment: AbsoluteAdjustment): readonly RowChoice[] =>
  kindOf(absolutes, adjustment.type).choices(adjustment);

/** A price changed by a relative adjustment, exact and not rounded. */
export const changedBy = (adjustment: RelativeAdjustment, price: Big): Big =>
  kindOf(relatives, adjustment.type).change(adjustment, price);

/** The same in whole numbers; undefined where these are not exact. */
export const changedWhole = (adjustment: RelativeAdjustment, price: Whole): Whole | undefined =>
  kindOf(relatives, adjustment.type).changeWhole?.(adjustment, price);

const undatedInWords = (adjustment: RequestedAdjustment): string => {
  if (adjustment.type === 'cancel') return 'cancelled';
  if (isRemoval(adjustment)) return kindOf(removals, adjustment.type).inWords(adjustment);
  if (isAbsolute(adjustment)) return kindOf(absolutes, adjustment.type).inWords(adjustment);
  return kindOf(relatives, adjustment.type).inWords(adjustment);
};

/** What an adjustment says, on a line for people: `override 49.99`, `volume (1-9: 20, 10-: 15)`, with its dates. */
export const adjustmentInWords = (adjustment: RequestedAdjustment): string =>
  `${undatedInWords(adjustment)}${boundsInWords(adjustment)}`;

/** How the adjustments of a type stand in a price sheet. */
export interface SheetKind {
  readonly type: string;
  /** Of the undated ones a product has at most one of each in a currency, and nothing beside a removal. */
  readonly role: Role;
  readonly columns: KindColumns;
}

const sheetKindsOf = (
  role: Role,
  kinds: readonly { readonly type: string; readonly columns: KindColumns }[],
): readonly SheetKind[] =>
  kinds.map(({ type, columns }) => ({
    type,
    role,
    columns: { ...columns, fields: [...columns.fields, ...BOUNDS] },
  }));

const sheetKinds: ReadonlyMap<string, SheetKind> = new Map(
  [
    ...sheetKindsOf('removal', removalKinds),
    ...sheetKindsOf('absolute', absoluteKinds),
    ...sheetKindsOf('relative', relativeKinds),
    ...sheetKindsOf('cancel', [{ type: 'cancel', columns: { fields: [] } }]),
  ].map((kind) => [kind.type, kind]),
);

/** All types that there are, and those that a book can be told for all its products. */
export const sheetTypes: readonly string[] = [...sheetKinds.keys()];
export const sheetTypesForAll: readonly string[] = [...removals.keys(), ...relatives.keys(), 'cancel'];

/** @returns undefined where no adjustment is of the type. */
export const sheetKindOf = (type: string): SheetKind | undefined => sheetKinds.get(type);
