import * as E from 'fp-ts/Either';
import * as t from 'io-ts';
import { append, isJsonObject, type JsonCodec, makeCodec } from './codecs';

/** Something wrong with an item of a list in view of the others. */
export interface Finding {
  /** Keys and indexes from the list down. */
  readonly path: readonly string[];
  readonly detail: string;
}

/**
 * A rule about a list as a whole. It sees the list as it came, and beside it what its items read as: undefined
 * where an item is faulty in itself, so that faults of both kinds are found at once.
 */
export type ListRule<A> = (raw: readonly unknown[], items: readonly (A | undefined)[]) => readonly Finding[];

/** No two items may have the same text in a field. */
export const noRepeated =
  (field: string): ListRule<unknown> =>
  (raw) => {
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
  };

/** An array of at most `max` items. */
export const listOf = <A>(
  item: JsonCodec<A>,
  max = Infinity,
  rule: ListRule<A> = () => [],
): JsonCodec<readonly A[]> =>
  makeCodec(`${item.name}[]`, (u, c) => {
    if (!Array.isArray(u)) return t.failure(u, c, 'must be an array');
    if (u.length > max) {
      return t.failure(u, c, `has ${String(u.length)} items; at most ${String(max)} are allowed`);
    }
    const errors: t.ValidationError[] = [];
    const items: A[] = [];
    const read = u.map((value: unknown, index): A | undefined => {
      const checked = item.validate(value, t.appendContext(c, String(index), item));
      if (E.isLeft(checked)) {
        append(errors, checked.left);
        return undefined;
      }
      items.push(checked.right);
      return checked.right;
    });
    for (const { path, detail } of rule(u, read)) {
      const context = path.reduce((above, key) => t.appendContext(above, key, t.unknown), c);
      errors.push({ value: u, context, message: detail });
    }
    return errors.length > 0 ? t.failures(errors) : t.success(items);
  });
