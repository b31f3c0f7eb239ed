/** The price over time: a chart, the change under the pointer, and a table of the same. */
import { useId, useMemo, useState } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { bookHref } from '../../router';
import { Loading, ProblemNotice } from '../../ui/notice';
import { amountText, Name, Time } from '../../ui/text';
import type { Load } from '../../ui/use-load';
import { causeWords, InWords, textOf } from './in-words';
import { missingProperty, type PriceHistory } from './question';
import { chartOf } from './scales';
import { StepChart } from './step-chart';

type Period = Schemas['PricePeriod'];

interface Names {
  readonly bookNames: ReadonlyMap<string, string>;
  readonly ownKeyId: string;
}

interface PeriodProps extends Names {
  readonly period: Period;
  readonly currency: string;
}

/** The property without which there is no price in a period. */
const missingIn = ({ problem }: Period): string | undefined =>
  problem === undefined ? undefined : missingProperty({ detail: problem });

const priceText = (period: Period, currency: string): string => {
  if (period.price !== null) return amountText(period.price, currency);
  return missingIn(period) === undefined ? 'No price' : 'Depends';
};

const Why = ({ period }: { readonly period: Period }) => {
  const missing = missingIn(period);
  if (period.problem === undefined) return null;
  return missing === undefined ? (
    <> · {period.problem}</>
  ) : (
    <>
      {' · '}The price depends on <Name>{missing}</Name>: enter it under Explanation.
    </>
  );
};

const Book = ({ period: { cause }, bookNames }: Pick<PeriodProps, 'period' | 'bookNames'>) => (
  <a href={bookHref(cause.priceBookId)}>
    <Name>{bookNames.get(cause.priceBookId) ?? cause.priceBookId}</Name>
  </a>
);

const Who = ({ period: { cause }, ownKeyId }: Pick<PeriodProps, 'period' | 'ownKeyId'>) => (
  <>
    <Name>{cause.actor}</Name>
    {cause.actor === ownKeyId && ' (you)'}
  </>
);

const said = (period: Period, currency: string): string =>
  `${priceText(period, currency)} from ${new Date(period.from).toLocaleString()}. ` +
  `${period.planned === true ? 'Planned. ' : ''}${textOf(causeWords(period.cause, currency))}. ` +
  `By ${textOf([{ name: period.cause.actor }])}.`;

/** The change that is chosen; as high for each, so that nothing below moves. */
const Readout = ({ period, currency, bookNames, ownKeyId }: PeriodProps) => (
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
      By <Who {...{ period, ownKeyId }} />
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

const ROWS = 25;

interface PeriodsProps extends Names {
  readonly history: PriceHistory;
}

/** The newest first. */
const Periods = ({ history: { periods, currency }, bookNames, ownKeyId }: PeriodsProps) => {
  const [shown, setShown] = useState(ROWS);
  const newest = useMemo(() => periods.toReversed(), [periods]);
  return (
    <>
      <div class="scroller" tabIndex={0} role="group" aria-label="Changes, scrollable">
        <table aria-label="Price changes">
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col" class="number">
                Price
              </th>
              <th scope="col">Change</th>
              <th scope="col">Book</th>
              <th scope="col">Who</th>
            </tr>
          </thead>
          <tbody>
            {newest.slice(0, shown).map((period) => (
              <tr key={period.from}>
                <th scope="row">
                  <Time at={period.from} />
                </th>
                <td class="number">{priceText(period, currency)}</td>
                <td>
                  <InWords words={causeWords(period.cause, currency)} />
                  {period.planned === true && (
                    <>
                      {' '}
                      <span class="badge">Planned</span>
                    </>
                  )}
                  {period.cause.reason !== undefined && (
                    <p class="small soft">
                      <q>
                        <Name>{period.cause.reason}</Name>
                      </q>
                    </p>
                  )}
                </td>
                <td>
                  <Book {...{ period, bookNames }} />
                </td>
                <td class="small">
                  <Who {...{ period, ownKeyId }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown < periods.length && (
        <div class="row">
          <button
            type="button"
            onClick={() => {
              setShown(shown * 4);
            }}
          >
            Show more
          </button>
          <span class="small soft">
            {shown.toLocaleString()} of {periods.length.toLocaleString()} changes
          </span>
        </div>
      )}
    </>
  );
};

const Drawn = ({ history, ...names }: PeriodsProps) => {
  const { periods, currency } = history;
  const chart = useMemo(() => chartOf(history), [history]);
  const current = useMemo(() => periods.findLastIndex(({ planned }) => planned !== true), [periods]);
  const [index, setIndex] = useState(Math.max(0, current));
  const period = periods[index] ?? periods.at(-1);
  if (period === undefined) return null;
  return (
    <>
      <StepChart
        chart={chart}
        currency={currency}
        index={index}
        said={said(period, currency)}
        onSelect={setIndex}
      />
      <Readout period={period} currency={currency} {...names} />
      <p class="small soft">
        Change {(index + 1).toLocaleString()} of {periods.length.toLocaleString()}. Point at the chart, or use
        the arrow keys on it.
      </p>
      <Periods history={history} {...names} />
    </>
  );
};

interface TimelineProps extends Names {
  readonly load: Load<PriceHistory>;
  readonly currency: string;
}

export const Timeline = ({ load: { data, problem, reload }, currency, ...names }: TimelineProps) => {
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
          <Drawn key={`${history.currency} ${String(history.now)}`} history={history} {...names} />
        ))}
    </section>
  );
};
