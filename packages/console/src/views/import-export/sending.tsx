import { Notice, ProblemNotice } from '../../ui/notice';
import { counted, Name } from '../../ui/text';
import { FaultTable } from './faults';
import type { Refused } from './import-state';
import { Progress } from './progress';
import type { StepProps } from './step-props';

const ContinueOrDiscard = ({ actions }: Pick<StepProps<'paused'>, 'actions'>) => (
  <div class="row">
    <button type="button" class="primary" onClick={actions.goOn}>
      Continue
    </button>
    <button type="button" onClick={actions.discard}>
      Discard
    </button>
  </div>
);

/** An import that was begun before. */
export const Interrupted = ({ state: { stored }, actions }: StepProps<'interrupted'>) => (
  <Notice kind="warning">
    <p>
      <strong>
        The import of <Name>{stored.fileName}</Name> is not finished
      </strong>
    </p>
    <p>
      {stored.done.toLocaleString()} of {counted(stored.plan.length, 'request')} done. If you continue,
      nothing is set twice. If you discard it, what was sent stays.
    </p>
    <ContinueOrDiscard actions={actions} />
  </Notice>
);

/** What another key, or a service that is well again, may accept; anything else is refused as often as it is sent. */
const isPassing = ({ problem: { status } }: Refused): boolean => status === 401 || status >= 500;

const RefusedNotice = ({ refused, done }: { readonly refused: Refused; readonly done: number }) => {
  const { problem, faults } = refused;
  if (problem.status === 401) {
    return (
      <Notice kind="warning">
        <p>
          <strong>The service did not accept the API key.</strong> Sign in, then continue.
        </p>
      </Notice>
    );
  }
  // Those of lines are in the table.
  const errors =
    faults.length === 0 ? problem.errors : problem.errors.filter(({ line }) => line === undefined);
  return (
    <>
      <ProblemNotice problem={{ ...problem, errors }} />
      {faults.length > 0 && <FaultTable faults={faults} />}
      {!isPassing(refused) && (
        <p>
          Nothing of request {(done + 1).toLocaleString()} was set.{' '}
          {done > 0 && 'What was sent before it stays. '}
          {faults.length > 0 && 'Correct the file and import it again.'}
        </p>
      )}
    </>
  );
};

/** The import as it runs, and when it is paused or was refused. */
export const Sending = ({ state, actions }: StepProps<'sending' | 'paused'>) => {
  const { stored, checked, isKept } = state;
  const isPaused = state.step === 'paused';
  const refused = isPaused ? state.refused : undefined;
  const waitsFor = isPaused ? undefined : state.waitsFor;
  const canContinue = refused === undefined || isPassing(refused);
  const pausedLabel = canContinue ? 'Import paused' : 'Import stopped';
  return (
    <div class="stack">
      <Progress
        label={isPaused ? pausedLabel : 'Importing'}
        fileName={stored.fileName}
        done={stored.done}
        whole={checked.requests.length}
        unit="requests"
      />
      {waitsFor !== undefined && (
        <Notice kind="warning">
          <p>
            <strong>{waitsFor.title}.</strong> The import waits, and continues by itself.
          </p>
        </Notice>
      )}
      {refused !== undefined && <RefusedNotice refused={refused} done={stored.done} />}
      {canContinue && (
        <p class="soft small">
          {isKept
            ? 'If you leave or reload this page, the import stops and can continue later from where it was.'
            : 'This browser keeps nothing for this page: do not leave or reload it before the end.'}
        </p>
      )}
      {isPaused && canContinue && <ContinueOrDiscard actions={actions} />}
      {isPaused && !canContinue && (
        <div>
          <button type="button" class="primary" onClick={actions.discard}>
            Choose another file
          </button>
        </div>
      )}
      {!isPaused && (
        <div>
          <button type="button" onClick={actions.pause}>
            Pause
          </button>
        </div>
      )}
    </div>
  );
};
