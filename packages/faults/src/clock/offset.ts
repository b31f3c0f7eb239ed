/** How far a clock is off: another amount in every interval, up to an hour either way. */
import { createRandom } from '../random';

const HOUR_MS = 3_600_000;

/** @returns milliseconds; whole ones, as a clock that is set has. */
export const offsetAt = (seed: number, interval: number): number =>
  createRandom(seed + interval).below(2 * HOUR_MS + 1) - HOUR_MS;
