/** A price over time, drawn as steps; a slider whose values are the periods. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { amountText } from '../../ui/text';
import { type Chart, type Frame, pathsOf, spanAt, xOf, yOf } from './scales';

const HEIGHT = 240;
const GLYPH = 7;

/** Amounts of an axis: short ones where the digits would fill the chart. */
const axisText = (amount: number, currency: string): string =>
  amount >= 100_000
    ? new Intl.NumberFormat(undefined, {
        style: 'currency',
        currency,
        notation: 'compact',
        maximumFractionDigits: 2,
      }).format(amount)
    : amountText(amount, currency);

const DAY = 86_400_000;

const axisTime = (span: number): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(
    undefined,
    span < 10 * 60_000
      ? { timeStyle: 'medium' }
      : span < DAY
        ? { timeStyle: 'short' }
        : span < 300 * DAY
          ? { month: 'short', day: 'numeric' }
          : { year: 'numeric', month: 'short' },
  );

const useWidth = () => {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useLayoutEffect(() => {
    const { current } = ref;
    if (current === null) return undefined;
    const measure = (): void => {
      setWidth(Math.max(240, current.clientWidth));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => {
      observer.disconnect();
    };
  }, []);
  return { ref, width };
};

interface AxesProps {
  readonly chart: Chart;
  readonly frame: Frame;
  readonly labels: readonly string[];
}

const Axes = ({ chart, frame, labels }: AxesProps) => {
  const count = Math.max(2, Math.min(6, Math.floor((frame.right - frame.left) / 130)));
  const format = axisTime(chart.end - chart.start);
  const times = Array.from({ length: count }, (_, index) => {
    const time = chart.start + ((chart.end - chart.start) * index) / (count - 1);
    return {
      x: xOf(chart, frame, time),
      text: format.format(time),
      anchor: index === 0 ? 'start' : index === count - 1 ? 'end' : 'middle',
    };
    // Of a few seconds neighbours may read the same.
  }).filter(({ text }, index, all) => text !== all[index - 1]?.text);
  return (
    <>
      {chart.ticks.map((tick, index) => {
        const y = yOf(chart, frame, tick);
        return (
          <g key={tick}>
            <line class="grid-line" x1={frame.left} x2={frame.right} y1={y} y2={y} />
            <text class="tick" x={frame.left - 8} y={y + 4} text-anchor="end">
              {labels[index]}
            </text>
          </g>
        );
      })}
      {times.map(({ x, text, anchor }) => (
        <text key={text} class="tick" x={x} y={frame.bottom + 20} text-anchor={anchor}>
          {text}
        </text>
      ))}
    </>
  );
};

const Selected = ({ chart, frame, index }: { chart: Chart; frame: Frame; index: number }) => {
  const span = chart.spans[index];
  if (span === undefined) return null;
  const [from, to] = [xOf(chart, frame, span.from), xOf(chart, frame, span.to)];
  return (
    <>
      <rect
        class="chosen"
        x={from}
        y={frame.top}
        width={Math.max(1, to - from)}
        height={frame.bottom - frame.top}
      />
      {span.price !== null && <circle class="dot" cx={from} cy={yOf(chart, frame, span.price)} r={5} />}
    </>
  );
};

interface StepChartProps {
  readonly chart: Chart;
  readonly currency: string;
  readonly index: number;
  /** The period in words, for screen readers. */
  readonly said: string;
  readonly onSelect: (index: number) => void;
}

const MOVES: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
  Home: -Infinity,
  End: Infinity,
};

export const StepChart = ({ chart, currency, index, said, onSelect }: StepChartProps) => {
  const { ref, width } = useWidth();
  const labels = chart.ticks.map((tick) => axisText(tick, currency));
  const left = 12 + GLYPH * Math.max(...labels.map(({ length }) => length));
  const frame: Frame = { left, right: width - 12, top: 20, bottom: HEIGHT - 28 };
  const { past, planned } = pathsOf(chart, frame);
  const now = xOf(chart, frame, chart.now);
  const last = chart.spans.length - 1;
  const selectAt = (event: PointerEvent): void => {
    const x = event.clientX - (ref.current?.getBoundingClientRect().left ?? 0);
    onSelect(spanAt(chart, frame, x));
  };
  return (
    <div
      ref={ref}
      class="step-chart"
      role="slider"
      tabIndex={0}
      aria-label="Change"
      aria-valuemin={1}
      aria-valuemax={last + 1}
      aria-valuenow={index + 1}
      aria-valuetext={said}
      onPointerMove={selectAt}
      onPointerDown={selectAt}
      onKeyDown={(event) => {
        const move = MOVES[event.key];
        if (move === undefined) return;
        event.preventDefault();
        onSelect(Math.max(0, Math.min(last, index + move)));
      }}
    >
      <svg
        aria-hidden="true"
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${String(width)} ${String(HEIGHT)}`}
      >
        <Selected chart={chart} frame={frame} index={index} />
        <Axes chart={chart} frame={frame} labels={labels} />
        <line class="now" x1={now} x2={now} y1={frame.top} y2={frame.bottom} />
        <text class="tick" x={now} y={frame.top - 6} text-anchor={now > width - 40 ? 'end' : 'middle'}>
          Now
        </text>
        <path class="past" d={past} />
        <path class="planned" d={planned} />
      </svg>
    </div>
  );
};
