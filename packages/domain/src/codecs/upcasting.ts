/**
 * How data that were kept in an older shape are read. An upcaster makes of the data of one version those of the next,
 * and the codec of the current version reads what comes out. What is kept is never rewritten.
 */

/**
 * JSON in, JSON out, and pure. The data come from a store and may hold anything: an upcaster never throws, and
 * passes on what it does not know, which the codec then refuses.
 */
export type Upcaster = (data: unknown) => unknown;

/** By type, what leads from version 1 to 2, from 2 to 3 and so on: the current version is one more than there are. */
export type Upcasters<Type extends string> = Readonly<Record<Type, readonly Upcaster[]>>;

/** By type, the version of the shape in which data are kept now. */
export const currentVersions = <Type extends string>(
  upcasters: Upcasters<Type>,
): Readonly<Record<Type, number>> =>
  Object.fromEntries(
    Object.entries<readonly Upcaster[]>(upcasters).map(([type, steps]) => [type, steps.length + 1]),
  ) as Readonly<Record<Type, number>>;

/** Something as it is kept. */
export interface Kept {
  readonly type: string;
  /** From 1 to the current version of the type. */
  readonly schemaVersion: number;
  readonly data: unknown;
}

/** The data in their current shape, brought there step by step; of a type that is not known as they are. */
export const upcast = <Type extends string>(
  upcasters: Upcasters<Type>,
  { type, schemaVersion, data }: Kept,
): unknown => {
  const steps = Object.hasOwn(upcasters, type) ? upcasters[type as Type] : [];
  let current = data;
  for (const step of steps.slice(schemaVersion - 1)) current = step(current);
  return current;
};
