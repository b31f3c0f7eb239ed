/** Another person saved first: their change beside what was typed here. */
import { useEffect, useRef } from 'preact/hooks';
import { Actor, KeyNames } from '../../ui/key-names';
import { Name, Time } from '../../ui/text';
import { adjustmentText } from '../../ui/adjustment-words';
import type { Adjustment } from './draft';
import { HeldList } from './held-list';
import type { Held, OtherChange } from './own';

interface ConflictProps {
  readonly held: Held;
  readonly changes: readonly OtherChange[];
  readonly currency: string;
  readonly ours: Adjustment;
  readonly isBusy: boolean;
  readonly onTakeTheirs: () => void;
  readonly onKeepOurs: () => void;
  readonly onEditOn: () => void;
}

const changeText = ({ of, adjustments }: OtherChange, currency: string): string => {
  if (of === 'deleted') return 'removed the product';
  const texts = adjustments.map((one) => adjustmentText(one, currency));
  return `${of === 'all' ? 'all products: ' : ''}${texts.join('; ')}`;
};

interface OtherChangesProps {
  readonly changes: readonly OtherChange[];
  readonly currency: string;
}

export const OtherChanges = ({ changes, currency }: OtherChangesProps) => (
  <KeyNames>
    <ul class="stack tight small">
      {changes.map((change) => (
        <li key={change.revision}>
          <Time at={change.at} />, <Actor id={change.actor} />: <Name>{changeText(change, currency)}</Name>
        </li>
      ))}
    </ul>
  </KeyNames>
);

export const Conflict = ({
  held,
  changes,
  currency,
  ours,
  isBusy,
  onTakeTheirs,
  onKeepOurs,
  onEditOn,
}: ConflictProps) => {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    ref.current?.focus();
  }, []);
  return (
    <section ref={ref} tabIndex={-1} class="notice warning stack conflict" aria-label="Conflict" role="alert">
      <p>
        <strong>This price was changed while you edited it.</strong> Nothing was overwritten, and what you
        typed is still here.
      </p>
      <dl class="sides">
        <div>
          <dt>Theirs</dt>
          <dd>
            <HeldList own={held.own} currency={currency} nothing="Nothing of its own" />
          </dd>
        </div>
        <div>
          <dt>Yours</dt>
          <dd>
            <Name>{adjustmentText(ours, currency)}</Name>
          </dd>
        </div>
      </dl>
      <OtherChanges changes={changes} currency={currency} />
      <div class="row">
        <button type="button" disabled={isBusy} onClick={onTakeTheirs}>
          Take theirs
        </button>
        <button type="button" disabled={isBusy} onClick={onKeepOurs}>
          Keep ours
        </button>
        <button type="button" disabled={isBusy} onClick={onEditOn}>
          Edit on
        </button>
      </div>
    </section>
  );
};
