/** Tells a person at the terminal how far it is. */
import type { Position } from '@pricebook/application';
import { Presets, SingleBar } from 'cli-progress';
import type { Shell } from './shell';

export interface Progress {
  /**
   * @param share from 0 to 1; undefined where nobody knows how much there is.
   */
  readonly update: (done: number, share: number | undefined) => void;
  readonly end: () => void;
}

const FINE = 1_000;

/** How much of the way to a position another one is: 0 to 1. */
export const share = (part: Position | undefined, whole: Position | undefined): number =>
  part === undefined || whole === undefined || whole === 0n ? 0 : Number((part * 1_000n) / whole) / 1_000;

const rate = (done: number, since: number): string =>
  Math.round((done * 1_000) / Math.max(1, performance.now() - since)).toLocaleString('en-US');

/** A bar on standard error, where that is a terminal; else nothing. */
export const progressBar = (
  { errors }: Pick<Shell, 'errors'>,
  title: string,
  hasShare: boolean,
  unit = 'events',
): Progress => {
  if (errors.isTTY !== true) return { update: () => undefined, end: () => undefined };
  const started = performance.now();
  const bar = new SingleBar(
    {
      format: `  ${title} ${hasShare ? '{bar} {percentage} % ' : ''}{done} ${unit}, {rate} ${unit}/s${hasShare ? ', {eta_formatted} left' : ''}`,
      barsize: 24,
      stream: errors,
    },
    Presets.shades_classic,
  );
  const payload = (done: number) => ({
    done: done.toLocaleString('en-US'),
    rate: rate(done, started),
  });
  bar.start(FINE, 0, payload(0));
  return {
    update: (done, share = 0) => {
      bar.update(Math.min(FINE, Math.floor(share * FINE)), payload(done));
    },
    end: () => {
      bar.stop();
    },
  };
};
