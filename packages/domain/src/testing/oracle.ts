/**
 * The rules of design section 1, said a second time and as plainly as possible: everything that was asked is kept
 * in maps, prices are exact fractions of big integers. It shares nothing with the code that it judges and reads
 * the JSON of the requests itself.
 */

interface Row {
  readonly firstUnit: number;
  readonly lastUnit?: number | null;
  readonly unitPrice: number;
}

export type AdjustmentJson =
  | { readonly type: 'null'; readonly amount: null }
  | { readonly type: 'override' | 'percent'; readonly amount: number }
  | {
      readonly type: 'enum';
      readonly property: string;
      readonly values: readonly { readonly value: string; readonly unitPrice: number }[];
    }
  | { readonly type: 'range'; readonly property: string; readonly values: readonly Row[] }
  | { readonly type: 'volume'; readonly tiers: readonly Row[] };

interface PercentJson {
  readonly type: 'percent';
  readonly amount: number;
}

/** A request, by its JSON body. */
export type RequestJson =
  | {
      readonly operation: 'set';
      readonly body:
        | readonly {
            readonly productId: string;
            readonly adjustments?: Readonly<Record<string, AdjustmentJson>>;
          }[]
        | {
            readonly productId: 'all';
            readonly adjustments: Readonly<Record<string, PercentJson | null>>;
          };
    }
  | { readonly operation: 'delete'; readonly body: readonly string[] };

export type OracleAnswer =
  | { readonly price: number; readonly effectiveDate: string }
  | { readonly problem: string; readonly name?: string };

/** `digits / 10 ** scale`. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const decimal = (number: number): Decimal => {
  const [mantissa = '', exponent = '0'] = String(number).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
};

const minus = (a: Decimal, b: Decimal): Decimal => {
  const scale = Math.max(a.scale, b.scale);
  const raised = (x: Decimal): bigint => x.digits * 10n ** BigInt(scale - x.scale);
  return { digits: raised(a) - raised(b), scale };
};

const isAtMostOne = ({ digits, scale }: Decimal): boolean => digits <= 10n ** BigInt(scale);

const rounded = ({ digits, scale }: Decimal, places: number): number => {
  if (scale <= places) return Number(`${String(digits)}e-${String(scale)}`);
  const unit = 10n ** BigInt(scale - places);
  const half = digits % unit;
  return Number(`${String(digits / unit + (half * 2n >= unit ? 1n : 0n))}e-${String(places)}`);
};

const minorUnits: Readonly<Record<string, number>> = { USD: 2, JPY: 0, BHD: 3, UYW: 4, MGA: 2 };

const changed = (price: number, percent: number, currency: string): number => {
  const list = decimal(price);
  const factor = minus(decimal(percent), decimal(-100));
  const exact = { digits: list.digits * factor.digits, scale: list.scale + factor.scale + 2 };
  if (minus(exact, list).digits === 0n) return price;
  const minor = minorUnits[currency] ?? NaN;
  return rounded(exact, list.scale > minor ? Math.max(12, list.scale) : minor);
};

type Given = ReadonlyMap<string, readonly string[]>;
type Chosen = { readonly amount: number } | { readonly problem: string; readonly name: string };

const one = (given: Given, name: string): string | { readonly problem: string; readonly name: string } => {
  const values = given.get(name) ?? (name === 'quantity' ? ['1'] : []);
  if (values.length > 1) return { problem: 'ParameterRepeated', name };
  return values[0] ?? { problem: 'ParameterMissing', name };
};

const fromRows = (rows: readonly Row[], name: string, given: Given): Chosen => {
  const text = one(given, name);
  if (typeof text !== 'string') return text;
  const value = Number(text);
  if (!Number.isFinite(value) || (name === 'quantity' && value <= 0)) {
    return { problem: 'ParameterMalformed', name };
  }
  const begun = rows.filter(({ firstUnit }) => firstUnit <= value);
  const row = begun.find(({ firstUnit }) => begun.every((other) => other.firstUnit <= firstUnit));
  if (row === undefined) return { problem: 'NoMatchingRow', name };
  const { lastUnit: last = null } = row;
  const reaches =
    last === null ||
    value <= last ||
    rows.some(
      ({ firstUnit }) => firstUnit > row.firstUnit && isAtMostOne(minus(decimal(firstUnit), decimal(last))),
    );
  return reaches ? { amount: row.unitPrice } : { problem: 'NoMatchingRow', name };
};

const listPrice = (adjustment: AdjustmentJson, given: Given): Chosen => {
  switch (adjustment.type) {
    case 'enum': {
      const text = one(given, adjustment.property);
      if (typeof text !== 'string') return text;
      const row = adjustment.values.find(({ value }) => value === text);
      return row === undefined
        ? { problem: 'NoMatchingRow', name: adjustment.property }
        : { amount: row.unitPrice };
    }
    case 'range':
      return fromRows(adjustment.values, adjustment.property, given);
    case 'volume':
      return fromRows(adjustment.tiers, 'quantity', given);
    case 'override':
      return { amount: adjustment.amount };
    case 'percent':
    case 'null':
      throw new Error('says no price');
  }
};

interface Kept<A> {
  readonly value: A;
  readonly since: string;
}

interface OracleBook {
  readonly says: Map<string, Kept<AdjustmentJson>>;
  readonly ownPercents: Map<string, Kept<number>>;
  readonly percents: Map<string, Kept<number>>;
  /** The latest time at which something was taken away. */
  readonly ownRemovals: Map<string, string>;
  readonly removals: Map<string, string>;
}

const keyOf = (productId: string, currency: string): string => JSON.stringify([productId, currency]);

const setOne = (
  book: OracleBook,
  isRoot: boolean,
  key: string,
  adjustment: AdjustmentJson,
  now: string,
): void => {
  const { says, ownPercents, ownRemovals } = book;
  switch (adjustment.type) {
    case 'null':
      if (says.has(key) || ownPercents.has(key)) ownRemovals.set(key, now);
      says.delete(key);
      ownPercents.delete(key);
      return;
    case 'percent':
      ownPercents.set(key, { value: adjustment.amount, since: now });
      if (!isRoot) says.delete(key);
      return;
    case 'override':
    case 'enum':
    case 'range':
    case 'volume':
      says.set(key, { value: adjustment, since: now });
      ownPercents.delete(key);
      return;
  }
};

export interface Oracle {
  readonly request: (book: number, request: RequestJson, now: string) => void;
  readonly price: (book: number, productId: string, currency: string, given: Given) => OracleAnswer;
}

/** Books 0, 1, 2 and so on: book 0 is a root, each other has the one before as its base. */
export const createOracle = (count: number): Oracle => {
  const books = Array.from({ length: count }, (): OracleBook => ({
    says: new Map(),
    ownPercents: new Map(),
    percents: new Map(),
    ownRemovals: new Map(),
    removals: new Map(),
  }));
  const find = (place: number): OracleBook => {
    const found = books[place];
    if (found === undefined) throw new Error(`no book ${String(place)}`);
    return found;
  };

  const price: Oracle['price'] = (place, productId, currency, given) => {
    const { says, ownPercents, percents, ownRemovals, removals } = find(place);
    const key = keyOf(productId, currency);
    const own = ownPercents.get(key);
    const said = says.get(key);
    let list: OracleAnswer;
    if (said === undefined) {
      list = place === 0 ? { problem: 'NoListPrice' } : price(place - 1, productId, currency, given);
    } else {
      const chosen = listPrice(said.value, given);
      list = 'amount' in chosen ? { price: chosen.amount, effectiveDate: said.since } : chosen;
      if (place > 0) return list;
    }
    if ('problem' in list) return list;
    const percent = own ?? percents.get(currency);
    const times = [list.effectiveDate];
    if (percent !== undefined) times.push(percent.since);
    if (own === undefined) {
      // The price would be another one, had these not been taken away.
      times.push(removals.get(currency) ?? '');
      times.push(ownRemovals.get(key) ?? '');
    }
    return {
      price: percent === undefined ? list.price : changed(list.price, percent.value, currency),
      effectiveDate: times.reduce((a, b) => (a > b ? a : b)),
    };
  };

  return {
    request: (place, { operation, body }, now) => {
      const book = find(place);
      if (operation === 'delete') {
        for (const productId of body) {
          for (const currency of Object.keys(minorUnits)) {
            setOne(book, place === 0, keyOf(productId, currency), { type: 'null', amount: null }, now);
          }
        }
      } else if ('adjustments' in body) {
        for (const [code, adjustment] of Object.entries(body.adjustments)) {
          const currency = code.toUpperCase();
          if (adjustment === null) {
            if (book.percents.delete(currency)) book.removals.set(currency, now);
          } else {
            book.percents.set(currency, { value: adjustment.amount, since: now });
          }
        }
      } else {
        for (const { productId, adjustments = {} } of body) {
          for (const [code, adjustment] of Object.entries(adjustments)) {
            setOne(book, place === 0, keyOf(productId, code.toUpperCase()), adjustment, now);
          }
        }
      }
    },
    price,
  };
};
