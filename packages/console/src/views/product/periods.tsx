/** All periods of a price as a table. */
import { useMemo, useState } from 'preact/hooks';
import { InWords } from '../../ui/adjustment-words';
import { Actor } from '../../ui/key-names';
import { Name, Time } from '../../ui/text';
import { causeWords } from './in-words';
import { Book, type Period, type PeriodProps, priceText } from './period';
import { Scroller } from '../../ui/scroller';

const ROWS = 25;

interface PeriodsProps extends Pick<PeriodProps, 'bookNames'> {
  readonly periods: readonly Period[];
  readonly currency: string;
}

/** The newest first. */
export const Periods = ({ periods, currency, bookNames }: PeriodsProps) => {
  const [shown, setShown] = useState(ROWS);
  const newest = useMemo(() => periods.toReversed(), [periods]);
  return (
    <>
      <Scroller label="Changes of the price">
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
                  <Actor id={period.cause.actor} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
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
