import * as E from 'fp-ts/Either';
import * as t from 'io-ts';
import { append, below, isJsonObject, type JsonCodec, makeCodec, refine } from './codecs';
import { refused } from './faults';
import { inWords } from './in-words';
import type { JsonSchema } from './json-schema';

/** Something wrong with an item of a list in view of the others. */
export interface Finding {
  /** Keys and indexes from the list down. */
  readonly path: readonly string[];
  readonly detail: string;
}

/** A rule about a list as a whole. */
export interface ListRule<A> {
  /**
   * Sees the list as it came, and beside it what its items read as: undefined where an item is faulty in itself, so
   * that faults of both kinds are found at once.
   */
  readonly find: (raw: readonly unknown[], items: readonly (A | undefined)[]) => readonly Finding[];
  /** What a schema of the list says of it. */
  readonly said: JsonSchema;
}

const noRule: ListRule<unknown> = { find: () => [], said: {} };

/** No two items may have the same text in a field. */
export const noRepeated = (field: string): ListRule<unknown> => ({
  find: (raw) => {
    const firstIndexes = new Map<string, number>();
    return raw.flatMap((item, index) => {
      const key = isJsonObject(item) && Object.hasOwn(item, field) ? item[field] : undefined;
      if (typeof key !== 'string') return [];
      const first = firstIndexes.get(key);
      if (first !== undefined) {
        return [{ path: [String(index), field], detail: `is the same as that of item ${String(first)}` }];
      }
      firstIndexes.set(key, index);
      return [];
    });
  },
  said: { description: `No two items have the same \`${field}\`.` },
});

/**
 * At least one item, and no two alike.
 *
 * @param none what is wrong with a list without items.
 */
export const someAndNoneTwice = (none: string): ListRule<unknown> => ({
  find: (raw) =>
    raw.length === 0
      ? [{ path: [], detail: none }]
      : raw.flatMap((item, index) => {
          const first = raw.indexOf(item);
          return first === index
            ? []
            : [{ path: [String(index)], detail: `is the same as item ${String(first)}` }];
        }),
  said: { minItems: 1, uniqueItems: true },
});

/** An array of at most `max` items. */
export const listOf = <A>(
  item: JsonCodec<A>,
  max = Infinity,
  rule: ListRule<A> = noRule,
): JsonCodec<readonly A[]> =>
  makeCodec(
    `${item.name}[]`,
    (u, c) => {
      if (!Array.isArray(u)) return refused(u, c, () => `must be an array, not ${inWords(u)}`);
      if (u.length > max) {
        return t.failure(u, c, `has ${String(u.length)} items; at most ${String(max)} are allowed`);
      }
      const errors: t.ValidationError[] = [];
      const items: A[] = [];
      const read = u.map((value: unknown, index): A | undefined => {
        const checked = item.validate(value, below(c, String(index), item));
        if (E.isLeft(checked)) {
          append(errors, checked.left);
          return undefined;
        }
        items.push(checked.right);
        return checked.right;
      });
      for (const { path, detail } of rule.find(u, read)) {
        const context = path.reduce((above, key) => below(above, key, t.unknown), c);
        errors.push({ value: u, context, message: detail });
      }
      return errors.length > 0 ? t.failures(errors) : t.success(items);
    },
    { type: 'array', items: item.schema, ...(max < Infinity && { maxItems: max }), ...rule.said },
  );

/**
 * A list that has items.
 *
 * @param item what one is called, as in `must have at least one line`.
 */
export const atLeastOne = <A>(
  name: string,
  list: JsonCodec<readonly A[]>,
  item: string,
): JsonCodec<readonly A[]> =>
  refine(
    name,
    list,
    (items) => (items.length === 0 ? E.left(`must have at least one ${item}`) : E.right(items)),
    { minItems: 1 },
  );
