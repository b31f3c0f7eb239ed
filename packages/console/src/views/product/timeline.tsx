/** The price over time: a chart, the change under the pointer, and a table of the same. */
import { useId, useMemo, useState } from 'preact/hooks';
import { Loading, ProblemNotice } from '../../ui/notice';
import { InWords, textOf } from '../../ui/adjustment-words';
import { Actor, useKeyName } from '../../ui/key-names';
import { Name, Time, timeText } from '../../ui/text';
import type { Load } from '../../ui/use-load';
import { causeWords } from './in-words';
import { Book, type Period, type PeriodProps, periodsOf, priceText, Why } from './period';
import { Periods } from './periods';
import type { AskedProperty } from './properties';
import type { PriceHistory } from './question';
import { chartOf } from './scales';
import { StepChart } from './step-chart';

const said = (period: Period, currency: string, actor: string): string =>
  `${priceText(period, currency)} from ${timeText(period.from)}. ` +
  `${period.planned === true ? 'Planned. ' : ''}${textOf(causeWords(period.cause, currency))}. ` +
  `By ${textOf([{ name: actor }])}.`;

/** The change that is chosen; as high for each, so that nothing below moves. */
const Readout = ({ period, currency, bookNames }: PeriodProps) => (
  <div class="readout">
    <p>
      <strong>{priceText(period, currency)}</strong>{' '}
      {period.planned === true && <span class="badge">Planned</span>}{' '}
      <span class="soft">
        from <Time at={period.from} />
        {period.to !== null && (
          <>
            {' '}
            until <Time at={period.to} />
          </>
        )}
      </span>
    </p>
    <p>
      <InWords words={causeWords(period.cause, currency)} /> in <Book {...{ period, bookNames }} />
    </p>
    <p class="small soft">
      By <Actor id={period.cause.actor} />
      {period.cause.reason !== undefined && (
        <>
          {' · '}
          <q>
            <Name>{period.cause.reason}</Name>
          </q>
        </>
      )}
      <Why period={period} />
    </p>
  </div>
);

interface DrawnProps extends Pick<PeriodProps, 'bookNames'> {
  readonly history: PriceHistory;
  readonly properties: readonly AskedProperty[];
}

const Drawn = ({ history, properties, bookNames }: DrawnProps) => {
  const { currency } = history;
  const periods = useMemo(() => periodsOf(history, properties), [history, properties]);
  const chart = useMemo(() => chartOf(history), [history]);
  const current = useMemo(() => periods.findLastIndex(({ planned }) => planned !== true), [periods]);
  const [index, setIndex] = useState(Math.max(0, current));
  const period = periods[index] ?? periods.at(-1);
  const actor = useKeyName(period?.cause.actor ?? '');
  if (period === undefined) return null;
  // Of a product that only tables price there is nothing to draw before they are asked.
  if (periods.every(({ price }) => price === null)) return <Periods {...{ periods, currency, bookNames }} />;
  return (
    <>
      <StepChart
        chart={chart}
        currency={currency}
        index={index}
        said={said(period, currency, actor)}
        onSelect={setIndex}
      />
      <Readout {...{ period, currency, bookNames }} />
      <p class="small soft">
        Change {(index + 1).toLocaleString()} of {periods.length.toLocaleString()}. Point at the chart, or use
        the arrow keys on it.
      </p>
      <Periods {...{ periods, currency, bookNames }} />
    </>
  );
};

interface TimelineProps extends Omit<DrawnProps, 'history'> {
  readonly load: Load<PriceHistory>;
  readonly currency: string;
}

export const Timeline = ({ load: { data, problem, reload }, currency, ...drawn }: TimelineProps) => {
  const id = useId();
  const history = data?.currency === currency ? data : undefined;
  return (
    <section aria-labelledby={id} class="stack timeline">
      <h2 id={id}>Timeline</h2>
      {problem !== undefined && <ProblemNotice problem={problem} onRetry={reload} />}
      {problem === undefined && history === undefined && <Loading what="the timeline" />}
      {problem === undefined &&
        history !== undefined &&
        (history.periods.length === 0 ? (
          <p class="soft">It never had a price in this currency.</p>
        ) : (
          <Drawn key={`${history.currency} ${String(history.now)}`} history={history} {...drawn} />
        ))}
    </section>
  );
};
