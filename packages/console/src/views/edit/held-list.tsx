import { Fragment } from 'preact';
import { datedWords, InWords } from '../../ui/adjustment-words';
import type { Adjustment } from './draft';
import type { Own } from './own';

/** There may be a thousand plans. */
const SHOWN_PLANS = 4;

const hasBegun = ({ validFrom }: Adjustment): boolean =>
  validFrom === undefined || Date.parse(validFrom) <= Date.now();

interface HeldListProps {
  readonly own: Own;
  readonly currency: string;
  /** What comes before what is set now. */
  readonly prefix?: string;
  /** Shown where nothing is set. */
  readonly nothing?: string;
}

/** What is set, one to a line: what holds now before what is planned. */
export const HeldList = ({ own, currency, prefix, nothing }: HeldListProps) => {
  const now = [own.adjustments[currency], own.percents[currency]].filter((one) => one !== undefined);
  const plans = own.dated[currency] ?? [];
  const more = plans.length - SHOWN_PLANS;
  if (now.length + plans.length === 0) return <>{nothing}</>;
  return (
    <ul class="held">
      {now.length > 0 && (
        <li>
          {prefix}
          {now.map((one, place) => (
            <Fragment key={one.type}>
              {place > 0 && '; '}
              <InWords words={datedWords(one, currency)} />
            </Fragment>
          ))}
        </li>
      )}
      {plans.slice(0, SHOWN_PLANS).map((one) => (
        <li key={JSON.stringify(one)} class="small">
          {hasBegun(one) ? 'For a time: ' : 'Planned: '}
          <InWords words={datedWords(one, currency)} />
        </li>
      ))}
      {more > 0 && <li class="small">… and {more.toLocaleString()} more</li>}
    </ul>
  );
};
