/** A difference in words: what it is about, what the read model has, what the events say. */
import {
  ALL_PRODUCTS,
  type BaseGone,
  type ChainFault,
  type Difference,
  EVERY_CURRENCY,
  type Finding,
  type Holder,
  type KeyShared,
} from '@pricebook/application';
import { printable } from '../command-line/terminal';

/** As much of a value as a line shows. */
const MAX_VALUE = 300;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Read models may hold anything: also what JSON cannot. */
const json = (value: unknown): string => {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? String(part) : part,
  ) as string | undefined;
  return text ?? 'nothing';
};

const shortened = (text: string): string =>
  text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)} ... (${String(text.length)} characters)` : text;

const timeText = (time: unknown): string => (typeof time === 'string' ? time : json(time));

/** ` from 2026-11-27T00:00:00.000Z until 2026-11-30T00:00:00.000Z`; nothing where it is undated. */
const datesText = ({ validFrom, validUntil }: Fields): string =>
  [
    ...(validFrom === undefined ? [] : [` from ${timeText(validFrom)}`]),
    ...(validUntil === undefined ? [] : [` until ${timeText(validUntil)}`]),
  ].join('');

/** `override 50`, or a table as it was sent; with its dates. Several in their order. */
const adjustmentText = (adjustment: unknown): string => {
  if (Array.isArray(adjustment)) return adjustment.map(adjustmentText).join('; ');
  if (!isObject(adjustment)) return json(adjustment);
  const { type, amount, validFrom, validUntil, ...table } = adjustment;
  const dates = datesText({ validFrom, validUntil });
  if (type === 'null') return `a removal${dates}`;
  if (type === 'cancel') return `a cancellation${dates}`;
  return `${String(type)} ${json(amount === undefined ? table : amount)}${dates}`;
};

const standingText = (standing: unknown, text: string): readonly string[] =>
  isObject(standing) ? [`${text} (revision ${json(standing['revision'])})`] : [];

/** What a product, or a book for all products, has in a currency. */
const cellText = (cell: unknown): string => {
  if (!isObject(cell)) return cell === undefined ? 'nothing' : json(cell);
  const { absolute, relative, removed, dated } = cell;
  const adjustments = [absolute, relative, ...(Array.isArray(dated) ? (dated as unknown[]) : [])];
  const parts = [
    ...adjustments.flatMap((one) =>
      standingText(one, isObject(one) ? adjustmentText(one['adjustment']) : ''),
    ),
    ...standingText(removed, `nothing any more${isObject(removed) ? datesText(removed) : ''}`),
  ];
  return parts.length === 0 ? json(cell) : parts.join(', ');
};

const rowText = (row: unknown): string => {
  if (!isObject(row)) return json(row);
  const { adjustment, cell } = row;
  return `${adjustment === undefined ? 'a removal' : adjustmentText(adjustment)}, and then ${cellText(cell)}`;
};

const detailText = (detail: unknown): string =>
  isObject(detail) ? `${json(detail['value'])} (revision ${json(detail['revision'])})` : json(detail);

const revisionText = (value: unknown): string =>
  isObject(value) ? `revision ${json(value['revision'])}` : json(value);

const textOf = ({ entry, part = '' }: Difference): ((value: unknown) => string) => {
  if (entry._tag === 'Cell') return cellText;
  if (entry._tag === 'Row') return rowText;
  if (entry._tag === 'Boundary') return revisionText;
  if (entry._tag !== 'PriceBook') return json;
  if (part.startsWith('percent ')) return cellText;
  return ['name', 'description', 'key', 'metadata'].includes(part) ? detailText : json;
};

const bookText = (name: string | undefined, id: string): string =>
  name === undefined ? id : `${JSON.stringify(name)} (${id})`;

/** The name of a book that no event knows. */
const foundName = ({ inReadModel }: Difference): string | undefined => {
  const name = isObject(inReadModel) ? inReadModel['name'] : undefined;
  const value = isObject(name) ? name['value'] : undefined;
  return typeof value === 'string' ? value : undefined;
};

const currencyText = (currency: string): string =>
  currency === EVERY_CURRENCY ? 'in every currency' : `in ${currency}`;

const holderText = (holder: Holder): string =>
  holder === ALL_PRODUCTS ? 'the percent for all products' : json(holder);

const subjectOf = (difference: Difference): string => {
  const { entry, part, bookName } = difference;
  if (entry._tag === 'Unknown') return `something that is not of a read model, ${json(entry.name)}`;
  const book = bookText(bookName, entry.priceBookId);
  switch (entry._tag) {
    case 'PriceBook':
      return part === undefined
        ? `price book ${bookText(bookName ?? foundName(difference), entry.priceBookId)}`
        : `${part.replace(/^percent /, 'percent for all products in ')} of ${book}`;
    case 'Derived':
      return `place of ${book} among the books whose base is ${entry.basePriceBookId}`;
    case 'Cell':
      return `price of ${json(entry.productId)} in ${entry.currency} of ${book}`;
    case 'Row':
      return `history row of ${holderText(entry.holder)} ${currencyText(entry.currency)}, revision ${String(entry.revision)}, of ${book}`;
    case 'Boundary':
      return `date ${entry.at} of ${holderText(entry.holder)} in ${entry.currency} of ${book}`;
  }
};

const baseGoneSentence = ({ priceBookId, bookName, basePriceBookId, wasDeleted }: BaseGone): string =>
  `base gone: price book ${bookText(bookName, priceBookId)}: its base ${basePriceBookId} ` +
  `${wasDeleted ? 'was deleted' : 'does not exist'}, so it has no list prices`;

const keySharedSentence = ({ key, priceBookIds }: KeyShared): string =>
  `key shared: price books ${priceBookIds.join(' and ')} both have the key ${json(key)}`;

const valuesText = (difference: Difference): string => {
  const { kind, inReadModel, byEvents, fault } = difference;
  const words = textOf(difference);
  const toText = words(inReadModel) === words(byEvents) ? json : words;
  const [found, expected] = [inReadModel, byEvents].map((value) => shortened(toText(value)));
  if (fault !== undefined) return `it ${fault}`;
  if (difference.entry._tag === 'Derived')
    return kind === 'missing' ? 'read model has none' : 'no event says so';
  if (kind === 'missing') return `events say ${String(expected)}`;
  if (kind === 'extra') return `read model has ${String(found)}, no event says so`;
  return `read model has ${String(found)}, events say ${String(expected)}`;
};

export const brokenChainSentence = ({ stream, revision, reason }: ChainFault): string =>
  printable(`broken chain: revision ${String(revision)} of ${stream} ${reason}`);

/** One line, fit for a terminal. */
export const differenceSentence = (difference: Finding): string => {
  if (difference.kind === 'base gone') return printable(baseGoneSentence(difference));
  if (difference.kind === 'key shared') return printable(keySharedSentence(difference));
  if (difference.kind === 'broken chain') return brokenChainSentence(difference);
  const isUnknown = difference.entry._tag === 'Unknown';
  const values = isUnknown ? '' : `: ${valuesText(difference)}`;
  return printable(`${difference.kind}: ${subjectOf(difference)}${values}`);
};

/** One line of JSON. */
export const differenceJson = (difference: Finding): string => printable(json(difference));
