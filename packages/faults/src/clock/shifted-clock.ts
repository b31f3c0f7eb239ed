/**
 * Loaded into a process before anything else (NODE_OPTIONS=--require): its clock is set back and forward again and
 * again, as a person or a time server does. What measures by a clock that nobody sets, timers among it, goes on.
 */
import { offsetAt } from './offset';

const seed = Number(process.env['FAULTS_CLOCK_SEED']);
const everyMs = Number(process.env['FAULTS_CLOCK_EVERY_MS']);
const Original = Date;

const now = (): number => Original.now() + offsetAt(seed, Math.floor(performance.now() / everyMs));

globalThis.Date = new Proxy(Original, {
  apply: () => new Original(now()).toString(),
  construct: (target, given: readonly unknown[], newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as object,
  get: (target, property) => (property === 'now' ? now : (Reflect.get(target, property) as unknown)),
});
