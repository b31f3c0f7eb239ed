/** Reads events that were kept by any version of the service up to this one. */
import type * as t from 'io-ts';
import { type PriceBookEvent, priceBookEventReader } from './events';
import { upcasters } from './upcasters';

type EventType = PriceBookEvent['type'];

/** By type, the version of the shape in which events are kept now. It is kept with every event. */
export const priceBookEventVersions = Object.fromEntries(
  Object.entries(upcasters).map(([type, steps]) => [type, steps.length + 1]),
) as Readonly<Record<EventType, number>>;

/** An event as it is kept. */
export interface KeptEvent {
  readonly type: string;
  /** From 1 to the current version of the type. */
  readonly schemaVersion: number;
  readonly data: unknown;
}

/** An event in its current shape, brought there step by step where it was kept in an older one. */
export const readKeptEvent = ({ type, schemaVersion, data }: KeptEvent): t.Validation<PriceBookEvent> => {
  const steps = Object.hasOwn(upcasters, type) ? upcasters[type as EventType] : [];
  let current = data;
  for (const upcast of steps.slice(schemaVersion - 1)) current = upcast(current);
  return priceBookEventReader.decode({ type, data: current });
};
