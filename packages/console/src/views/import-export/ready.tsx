import { useState } from 'preact/hooks';
import { ReasonField } from '../../ui/reason-field';
import { Loading, Notice, ProblemNotice } from '../../ui/notice';
import { counted, Name } from '../../ui/text';
import { Changes } from './changes';
import type { Again } from './import-state';
import type { StepProps } from './step-props';

const WHY: Readonly<Record<Again, string>> = {
  plan: 'This page was updated and divides the file in another way, so the import begins again.',
  key: 'You signed in with another API key than the one that began this import. Without that key it is unknown whether the last request was done.',
  age: 'The last request of this import was sent too long ago. It is unknown whether it was done.',
};

/** A file without a fault, what it changes, and the question whether to import it. */
export const Ready = ({ state, actions }: StepProps<'ready'>) => {
  const [reason, setReason] = useState(state.reason);
  const { checked, comparison, problem, fileName, from, again } = state;
  const isSame =
    comparison !== undefined &&
    comparison.counts.new + comparison.counts.changed + comparison.counts.removed === 0;
  return (
    <div class="stack">
      <div class="stack tight">
        <h3>
          <Name>{fileName}</Name>
        </h3>
        <p class="soft">
          {counted(checked.rows, 'row')} of {counted(checked.products, 'product')}, without a fault. Products
          that are not in the file stay as they are.
        </p>
      </div>
      {again !== undefined && (
        <Notice kind="warning">
          <p>
            <strong>Check what would change now</strong>
          </p>
          <p>
            {WHY[again]} Others may have set newer prices meanwhile.{' '}
            {from > 0 &&
              `${from.toLocaleString()} of ${counted(checked.requests.length, 'request')} done: only the rest is compared and imported.`}
          </p>
        </Notice>
      )}
      {problem !== undefined && <ProblemNotice problem={problem} onRetry={actions.compareAgain} />}
      {comparison === undefined && problem === undefined && <Loading what="the book, to compare" />}
      {comparison !== undefined && <Changes comparison={comparison} />}
      {isSame && (
        <Notice>
          <p>The book has all of these prices already. There is nothing to import.</p>
        </Notice>
      )}
      {!isSame && (
        <div class="filter">
          <ReasonField value={reason} onInput={setReason} />
        </div>
      )}
      <div class="row">
        {!isSame && (
          <button
            type="button"
            class="primary"
            disabled={comparison === undefined && problem === undefined}
            onClick={() => {
              actions.begin(reason);
            }}
          >
            Import
          </button>
        )}
        <button type="button" onClick={actions.discard}>
          Choose another file
        </button>
      </div>
    </div>
  );
};
