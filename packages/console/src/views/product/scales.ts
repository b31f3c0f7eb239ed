/** Where times and prices are in a chart. */
import type { PriceHistory } from './question';

export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A period with the instants at which it begins and ends; the end of the chart where it has none. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly price: number | null;
  readonly isPlanned: boolean;
}

export interface Chart {
  readonly spans: readonly Span[];
  readonly start: number;
  readonly end: number;
  readonly now: number;
  readonly ticks: readonly number[];
  readonly low: number;
  readonly high: number;
}

/** Round steps of 1, 2 or 5: three to five lines that a reader can name. */
const stepOf = (range: number): number => {
  const rough = range / 3;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude;
};

const ticksOf = (low: number, high: number): readonly number[] => {
  const step = stepOf(high - low);
  const first = Math.floor(low / step);
  const count = Math.ceil(high / step) - first;
  return Array.from({ length: count + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
};

const SECOND = 1_000;

/** @param history with one period or more. */
export const chartOf = ({ periods, now: asked }: PriceHistory): Chart => {
  const times = periods.map(({ from }) => Date.parse(from));
  const start = Math.min(...times.slice(0, 1));
  const began = times.filter((_, index) => periods[index]?.planned !== true);
  // The clock of this device may be behind that of the service.
  const now = Math.max(asked, ...began.slice(-1));
  const last = Math.max(now, ...times.slice(-1));
  const end = last + Math.max(SECOND, (last - start) * 0.08);
  const prices = periods.flatMap(({ price }) => (price === null ? [] : [price]));
  const [low, high] = prices.reduce(
    ([least, most], price) => [Math.min(least, price), Math.max(most, price)],
    [prices[0] ?? 0, prices[0] ?? 0],
  );
  const ticks = low === high ? ticksOf(low * 0.9, low === 0 ? 1 : low * 1.1) : ticksOf(low, high);
  return {
    spans: periods.map(({ to, price, planned = false }, index) => ({
      from: times[index] ?? start,
      to: to === null ? end : Date.parse(to),
      price,
      isPlanned: planned,
    })),
    start,
    end,
    now,
    ticks,
    low: ticks[0] ?? 0,
    high: ticks.at(-1) ?? 1,
  };
};

export const xOf = ({ start, end }: Chart, { left, right }: Frame, time: number): number =>
  left + ((time - start) / (end - start)) * (right - left);

export const yOf = ({ low, high }: Chart, { top, bottom }: Frame, price: number): number =>
  bottom - ((price - low) / (high - low)) * (bottom - top);

/** The last span that has begun at a place; the first one left of all. */
export const spanAt = ({ spans, start, end }: Chart, { left, right }: Frame, x: number): number => {
  const time = start + ((x - left) / (right - left)) * (end - start);
  let [low, high] = [0, spans.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((spans[middle]?.from ?? Infinity) <= time) low = middle;
    else high = middle - 1;
  }
  return low;
};

/** A path that goes along the prices of some spans, with a break wherever there is none. */
const pathOf = (chart: Chart, frame: Frame, spans: readonly Span[]): string => {
  let before: Span | undefined;
  let path = '';
  for (const span of spans) {
    if (span.price !== null) {
      const joins = before !== undefined && before.price !== null && before.to === span.from;
      const [from, to] = [xOf(chart, frame, span.from), xOf(chart, frame, span.to)];
      const y = yOf(chart, frame, span.price).toFixed(1);
      path += joins ? `V${y}H${to.toFixed(1)}` : `M${from.toFixed(1)} ${y}H${to.toFixed(1)}`;
    }
    before = span;
  }
  return path;
};

/** What has happened, and what is planned from now on. */
export const pathsOf = (chart: Chart, frame: Frame): { readonly past: string; readonly planned: string } => {
  const { spans, now } = chart;
  const past = spans
    .filter(({ isPlanned }) => !isPlanned)
    .map((span) => ({ ...span, to: Math.min(span.to, Math.max(now, span.from)) }));
  const future = spans
    .filter(({ to }) => to > now)
    .map((span) => ({ ...span, from: Math.max(now, span.from) }));
  return { past: pathOf(chart, frame, past), planned: pathOf(chart, frame, future) };
};
