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

interface BoundsJson {
  readonly validFrom?: string;
  readonly validUntil?: string;
}

type UndatedJson =
  | { readonly type: 'cancel' }
  | { readonly type: 'null'; readonly amount: null }
  | { readonly type: 'override'; readonly amount: number }
  | {
      readonly type: 'percent' | 'fixedAmount';
      readonly amount: number;
      readonly roundTo?: number;
      readonly ending?: number;
    }
  | {
      readonly type: 'enum';
      readonly property: string;
      readonly values: readonly { readonly value: string; readonly unitPrice: number }[];
    }
  | { readonly type: 'range'; readonly property: string; readonly values: readonly Row[] }
  | { readonly type: 'volume' | 'graduated'; readonly tiers: readonly Row[] };

export type AdjustmentJson = UndatedJson & BoundsJson;

type ForAllJson = null | AdjustmentJson;

/** A request, by its JSON body. */
export type RequestJson =
  | {
      readonly operation: 'set';
      readonly body:
        | readonly {
            readonly productId: string;
            readonly adjustments?: Readonly<Record<string, AdjustmentJson | readonly AdjustmentJson[]>>;
          }[]
        | {
            readonly productId: 'all';
            readonly adjustments: Readonly<Record<string, ForAllJson | readonly ForAllJson[]>>;
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

type ChangeJson = Extract<AdjustmentJson, { readonly type: 'percent' | 'fixedAmount' }>;

const exactly = (list: Decimal, { type, amount }: ChangeJson): Decimal => {
  if (type === 'percent') {
    const factor = minus(decimal(amount), decimal(-100));
    return { digits: list.digits * factor.digits, scale: list.scale + factor.scale + 2 };
  }
  const sum = minus(list, decimal(-amount));
  return sum.digits < 0n ? { digits: 0n, scale: 0 } : sum;
};

/** The nearest multiple of `roundTo` with the ending added; of two as near the greater. Only 0 is 0. */
const ended = (exact: Decimal, roundTo: number, ending: number): number => {
  const [step, end] = [decimal(roundTo), decimal(ending)];
  const scale = Math.max(exact.scale, step.scale, end.scale);
  const raised = ({ digits, scale: own }: Decimal): bigint => digits * 10n ** BigInt(scale - own);
  const [x, s, e] = [raised(exact), raised(step), raised(end)];
  if (x === 0n) return 0;
  // Twice the distance from the ending, and half a step more, so that whole numbers do.
  const times = x < e ? 0n : ((x - e) * 2n + s) / (s * 2n);
  const found = times * s + e;
  return Number(`${String(found === 0n ? s : found)}e-${String(scale)}`);
};

const changed = (price: number, change: ChangeJson, currency: string): number => {
  const list = decimal(price);
  const exact = exactly(list, change);
  if (change.roundTo !== undefined) return ended(exact, change.roundTo, change.ending ?? 0);
  if (minus(exact, list).digits === 0n) return price;
  const minor = minorUnits[currency] ?? NaN;
  return rounded(exact, list.scale > minor ? Math.max(12, list.scale) : minor);
};

type Given = ReadonlyMap<string, readonly string[]>;
type Chosen = { readonly amount: number | Average } | { readonly problem: string; readonly name: string };

const one = (given: Given, name: string): string | { readonly problem: string; readonly name: string } => {
  const values = given.get(name) ?? (name === 'quantity' ? ['1'] : []);
  if (values.length > 1) return { problem: 'ParameterRepeated', name };
  return values[0] ?? { problem: 'ParameterMissing', name };
};

const numeric = (
  given: Given,
  name: string,
): number | { readonly problem: string; readonly name: string } => {
  const text = one(given, name);
  if (typeof text !== 'string') return text;
  const value = text === '' ? NaN : Number(text);
  return !Number.isFinite(value) || (name === 'quantity' && value <= 0)
    ? { problem: 'ParameterMalformed', name }
    : value;
};

const fromRows = (rows: readonly Row[], name: string, given: Given): Chosen => {
  const value = numeric(given, name);
  if (typeof value !== 'number') return value;
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
      const isNumber = adjustment.property === 'quantity';
      const asked = isNumber ? numeric(given, 'quantity') : one(given, adjustment.property);
      if (typeof asked === 'object') return asked;
      const row = adjustment.values.find(({ value }) => (isNumber ? Number(value) : value) === asked);
      return row === undefined
        ? { problem: 'NoMatchingRow', name: adjustment.property }
        : { amount: row.unitPrice };
    }
    case 'range':
      return fromRows(adjustment.values, adjustment.property, given);
    case 'volume':
      return fromRows(adjustment.tiers, 'quantity', given);
    case 'graduated':
      return graduated(adjustment.tiers, given);
    case 'override':
      return { amount: adjustment.amount };
    case 'percent':
    case 'fixedAmount':
    case 'null':
    case 'cancel':
      throw new Error('sets no price');
  }
};

/** Units of different prices: unit by unit of the scale, which is slow and plain. */
const graduated = (rows: readonly Row[], given: Given): Chosen => {
  const found = fromRows(rows, 'quantity', given);
  if ('problem' in found) return found;
  const quantity = decimal(Number(one(given, 'quantity')));
  const ends = [...rows].sort((a, b) => a.firstUnit - b.firstUnit);
  const sums = ends.map(({ lastUnit = null, unitPrice }, place) => {
    const from = ends[place - 1]?.lastUnit ?? 0;
    const scale = Math.max(quantity.scale, decimal(from).scale, decimal(lastUnit ?? 0).scale);
    const raised = (x: Decimal): bigint => x.digits * 10n ** BigInt(scale - x.scale);
    const [low, high] = [raised(decimal(from)), lastUnit === null ? undefined : raised(decimal(lastUnit))];
    const asked = raised(quantity);
    const upTo = high === undefined || asked < high ? asked : high;
    const units = { digits: upTo > low ? upTo - low : 0n, scale };
    const price = decimal(unitPrice);
    return { digits: units.digits * price.digits, scale: units.scale + price.scale };
  });
  const total = sums.reduce((a, b) => minus(a, { ...b, digits: -b.digits }), { digits: 0n, scale: 0 });
  const finest = Math.max(...rows.map(({ unitPrice }) => decimal(unitPrice).scale));
  return { amount: { total, quantity, finest } };
};

/** What units cost together, and how many there are. */
interface Average {
  readonly total: Decimal;
  readonly quantity: Decimal;
  /** Digits of the finest of their prices. */
  readonly finest: number;
}

const averaged = ({ total, quantity, finest }: Average, currency: string): number => {
  const minor = minorUnits[currency] ?? NaN;
  const places = finest > minor ? Math.max(12, finest) : minor;
  const scale = BigInt(places + quantity.scale);
  const up = total.digits * 10n ** scale * 2n;
  const by = quantity.digits * 10n ** BigInt(total.scale);
  return Number(`${String((up + by) / (2n * by))}e-${String(places)}`);
};

/** Something that was set for a product, or for all, in a currency: as it was asked. */
interface Item {
  readonly adjustment: AdjustmentJson;
  readonly setAt: string;
  /** Its place among all that was set. */
  readonly order: number;
  /** When it was cancelled, replaced, or taken away with everything else. */
  takenAwayAt?: string;
  /** The last case: its end is that of everything. */
  takenAwayByNull?: true;
}

/** What of the items decides at an instant. */
interface Folded {
  readonly says?: Item;
  readonly percent?: Item;
  readonly removal?: Item;
}

const nullJson: AdjustmentJson = { type: 'null', amount: null };

const beginOf = ({ adjustment: { validFrom }, setAt }: Item): string => validFrom ?? setAt;
const sinceOf = (item: Item): string => (beginOf(item) > item.setAt ? beginOf(item) : item.setAt);
const isTemporary = ({ adjustment }: Item): boolean => adjustment.validUntil !== undefined;
const isDatedJson = ({ validFrom, validUntil }: BoundsJson): boolean =>
  validFrom !== undefined || validUntil !== undefined;

const inOrder = (a: Item, b: Item): number =>
  beginOf(a) === beginOf(b) ? a.order - b.order : beginOf(a) < beginOf(b) ? -1 : 1;

/** First what stands, by when it begins; then what is temporary, by when it begins. */
const fold = (items: readonly Item[], isRoot: boolean): Folded => {
  let folded: Folded = {};
  const sorted = [...items].sort(inOrder);
  for (const item of [...sorted.filter((one) => !isTemporary(one)), ...sorted.filter(isTemporary)]) {
    const { type } = item.adjustment;
    if (type === 'null') {
      folded = { removal: item };
    } else if (type === 'percent' || type === 'fixedAmount') {
      const { says, removal } = folded;
      folded = { ...(isRoot && says && { says }), ...(removal && { removal }), percent: item };
    } else {
      folded = { says: item };
    }
  }
  return folded;
};

/** What was set in a book for a product or for all, in a currency. */
type Log = Item[];

/** What counts of the log at an instant, as it was known at another: all but what ended or was taken away. */
const countingAt = (log: Log, at: string, known: string): readonly Item[] =>
  log.filter(
    (item) =>
      item.setAt <= known &&
      !(item.takenAwayAt !== undefined && item.takenAwayAt <= known) &&
      beginOf(item) <= at &&
      !(item.adjustment.validUntil !== undefined && item.adjustment.validUntil <= at),
  );

/** The instants at which something ended that would decide, had it not. */
const endsIn = (
  log: Log,
  at: string,
  known: string,
  fold: (items: readonly Item[]) => readonly (Item | undefined)[],
): readonly string[] => {
  const counting = countingAt(log, at, known);
  const now = fold(counting);
  return log.flatMap((item) => {
    const takenAwayAt =
      item.takenAwayAt !== undefined && item.takenAwayAt <= known ? item.takenAwayAt : undefined;
    const wentWithAll = takenAwayAt !== undefined && item.takenAwayByNull === true;
    if (item.setAt > known || beginOf(item) > at || counting.includes(item) || wentWithAll) return [];
    const end = [item.adjustment.validUntil, takenAwayAt].filter((one) => one !== undefined).sort()[0];
    if (end === undefined || end > at || end <= beginOf(item)) return [];
    const otherwise = fold([...counting, item]);
    return otherwise.some((decides, place) => decides !== now[place]) ? [end] : [];
  });
};

interface OracleBook {
  /** By product id and currency. */
  readonly products: Map<string, Log>;
  /** By currency. */
  readonly all: Map<string, Log>;
}

const keyOf = (productId: string, currency: string): string => JSON.stringify([productId, currency]);

export interface Oracle {
  readonly request: (book: number, request: RequestJson, now: string) => void;
  /**
   * @param at the instant of the price; absent for after everything that was set and planned.
   * @param knownAt when it is asked; absent for the end of the log.
   */
  readonly price: (
    book: number,
    productId: string,
    currency: string,
    given: Given,
    at?: string,
    knownAt?: string,
  ) => OracleAnswer;
}

const END = '9999-12-31T23:59:59.999Z';

/** Books 0, 1, 2 and so on: book 0 is a root, each other has the one before as its base. */
export const createOracle = (count: number): Oracle => {
  const books = Array.from({ length: count }, (): OracleBook => ({ products: new Map(), all: new Map() }));
  let order = 0;
  const find = (place: number): OracleBook => {
    const found = books[place];
    if (found === undefined) throw new Error(`no book ${String(place)}`);
    return found;
  };
  const logIn = (logs: Map<string, Log>, key: string): Log => {
    const log = logs.get(key) ?? [];
    logs.set(key, log);
    return log;
  };

  const setOne = (log: Log, isRoot: boolean, adjustment: AdjustmentJson, now: string): void => {
    order += 1;
    const item: Item = { adjustment, setAt: now, order };
    const isThere = (other: Item): boolean => other.takenAwayAt === undefined;
    if (isDatedJson(adjustment)) {
      for (const other of log.filter(isThere)) {
        const { validFrom, validUntil } = other.adjustment;
        // Without validFrom, the moment at which it was set counts as that.
        const isSame =
          validFrom === adjustment.validFrom ||
          (validUntil !== undefined && beginOf(other) === beginOf(item) && isDatedJson(other.adjustment));
        if (validUntil === adjustment.validUntil && isSame) other.takenAwayAt = now;
      }
      if (adjustment.type !== 'cancel') log.push(item);
      return;
    }
    if (adjustment.type !== 'null') {
      log.push(item);
      return;
    }
    const there = countingAt(log, now, now);
    const seen = fold(there, isRoot);
    const { says, percent, removal } = seen;
    const isDated = removal !== undefined && isDatedJson(removal.adjustment);
    const removes = says !== undefined || percent !== undefined || isDated;
    for (const other of log.filter(isThere)) {
      const hasEnded = other.adjustment.validUntil !== undefined && other.adjustment.validUntil <= now;
      if (removes || (isDatedJson(other.adjustment) && !hasEnded)) {
        other.takenAwayAt = now;
        other.takenAwayByNull = true;
      }
    }
    // Removing nothing changes nothing.
    if (removes) log.push(item);
  };

  const price: Oracle['price'] = (place, productId, currency, given, at = END, knownAt = END) => {
    const { products, all } = find(place);
    const isRoot = place === 0;
    const known = knownAt < at ? knownAt : at;
    const ownLog = products.get(keyOf(productId, currency)) ?? [];
    const allLog = all.get(currency) ?? [];
    const own = fold(countingAt(ownLog, at, known), isRoot);
    const forAll = fold(countingAt(allLog, at, known), isRoot);
    const ownEnds = endsIn(ownLog, at, known, (items) => {
      const { says, percent, removal } = fold(items, isRoot);
      return isRoot ? [says, percent] : [percent ?? says ?? removal];
    });
    let list: OracleAnswer;
    if (own.says === undefined) {
      list = isRoot ? { problem: 'NoListPrice' } : price(place - 1, productId, currency, given, at, knownAt);
    } else {
      const chosen = listPrice(own.says.adjustment, given);
      const since = sinceOf(own.says);
      if ('problem' in chosen) list = chosen;
      else {
        const { amount } = chosen;
        const unitPrice = typeof amount === 'number' ? amount : averaged(amount, currency);
        list = { price: unitPrice, effectiveDate: since };
      }
    }
    if ('problem' in list) return list;
    const times = [list.effectiveDate, ...ownEnds];
    let { price: amount } = list;
    if (isRoot || own.says === undefined) {
      const percent = own.percent ?? forAll.percent;
      if (percent !== undefined) {
        times.push(sinceOf(percent));
        const { adjustment } = percent;
        if (adjustment.type === 'percent' || adjustment.type === 'fixedAmount') {
          amount = changed(amount, adjustment, currency);
        }
      }
      if (own.percent === undefined) {
        // The price would be another one, had these not been taken away, or not ended.
        if (own.removal !== undefined) times.push(sinceOf(own.removal));
        if (forAll.percent === undefined && forAll.removal !== undefined) times.push(sinceOf(forAll.removal));
        times.push(
          ...endsIn(allLog, at, known, (items) => {
            const { percent: decides, removal } = fold(items, false);
            return [decides ?? removal];
          }),
        );
      }
    }
    return { price: amount, effectiveDate: times.reduce((a, b) => (a > b ? a : b)) };
  };

  return {
    request: (place, { operation, body }, now) => {
      const { products, all } = find(place);
      const isRoot = place === 0;
      if (operation === 'delete') {
        for (const productId of body) {
          for (const currency of Object.keys(minorUnits)) {
            setOne(logIn(products, keyOf(productId, currency)), isRoot, nullJson, now);
          }
        }
      } else if ('adjustments' in body) {
        for (const [code, given] of Object.entries(body.adjustments)) {
          for (const one of [given].flat()) {
            setOne(logIn(all, code.toUpperCase()), isRoot, one ?? nullJson, now);
          }
        }
      } else {
        for (const { productId, adjustments = {} } of body) {
          for (const [code, given] of Object.entries(adjustments)) {
            for (const one of [given].flat()) {
              setOne(logIn(products, keyOf(productId, code.toUpperCase())), isRoot, one, now);
            }
          }
        }
      }
    },
    price,
  };
};
