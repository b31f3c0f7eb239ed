/** Reads events that were kept by any version of the service up to this one. */
import type * as t from 'io-ts';
import { currentVersions, type Kept, upcast } from '../codecs/upcasting';
import { type PriceBookEvent, priceBookEventReader } from './events';
import { upcasters } from './upcasters';

/** By type, the version of the shape in which events are kept now. It is kept with every event. */
export const priceBookEventVersions = currentVersions(upcasters);

/** An event in its current shape, brought there step by step where it was kept in an older one. */
export const readKeptEvent = (kept: Kept): t.Validation<PriceBookEvent> =>
  priceBookEventReader.decode({ type: kept.type, data: upcast(upcasters, kept) });
