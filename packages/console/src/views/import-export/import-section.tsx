import { useEffect, useRef } from 'preact/hooks';
import { bookHref } from '../../router';
import { Loading, Notice, ProblemNotice } from '../../ui/notice';
import { counted, Name } from '../../ui/text';
import type { BookTabProps } from '../book-tab-props';
import { Changes } from './changes';
import { DropArea } from './drop-area';
import { Faults } from './faults';
import { Progress } from './progress';
import { type Import, type ImportState, useImport } from './use-import';

type Step<Name extends ImportState['step']> = Extract<ImportState, { readonly step: Name }>;

interface StepProps<Name extends ImportState['step']> {
  readonly state: Step<Name>;
  readonly actions: Import;
}

const Interrupted = ({ state: { stored }, actions }: StepProps<'interrupted'>) => (
  <Notice kind="warning">
    <p>
      <strong>
        The import of <Name>{stored.fileName}</Name> is not finished
      </strong>
    </p>
    <p>
      {stored.done.toLocaleString()} of {counted(stored.requests, 'request')} are done. Going on changes
      nothing twice. If you discard it, what was sent stays.
    </p>
    <div class="row">
      <button type="button" class="primary" onClick={actions.goOn}>
        Go on
      </button>
      <button type="button" onClick={actions.discard}>
        Discard
      </button>
    </div>
  </Notice>
);

const Ready = ({ state, actions }: StepProps<'ready'>) => {
  const { checked, comparison, problem, fileName } = state;
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
      {problem !== undefined && <ProblemNotice problem={problem} onRetry={actions.compareAgain} />}
      {comparison === undefined && problem === undefined && <Loading what="the book, to compare" />}
      {comparison !== undefined && <Changes comparison={comparison} />}
      {isSame && (
        <Notice>
          <p>The book has all of these prices already. There is nothing to import.</p>
        </Notice>
      )}
      <div class="row">
        {!isSame && (
          <button
            type="button"
            class="primary"
            disabled={comparison === undefined && problem === undefined}
            onClick={actions.begin}
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

const Sending = ({ state, actions }: StepProps<'sending' | 'paused'>) => {
  const { stored, checked, isKept } = state;
  const isPaused = state.step === 'paused';
  const problem = isPaused ? state.problem : undefined;
  const waitsFor = isPaused ? undefined : state.waitsFor;
  return (
    <div class="stack">
      <Progress
        label={isPaused ? 'Import paused' : 'Importing'}
        fileName={stored.fileName}
        done={stored.done}
        whole={checked.requests.length}
        unit="requests"
      />
      {waitsFor !== undefined && (
        <Notice kind="warning">
          <p>
            <strong>{waitsFor.title}.</strong> The import waits, and goes on by itself.
          </p>
        </Notice>
      )}
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <p class="soft small">
        {isKept
          ? 'If you leave or reload this page, the import stops and can go on later from where it was.'
          : 'This browser keeps nothing for this page: do not leave or reload it before the end.'}
      </p>
      <div class="row">
        {isPaused ? (
          <>
            <button type="button" class="primary" onClick={actions.goOn}>
              Go on
            </button>
            <button type="button" onClick={actions.discard}>
              Discard
            </button>
          </>
        ) : (
          <button type="button" onClick={actions.pause}>
            Pause
          </button>
        )}
      </div>
    </div>
  );
};

const Done = ({
  state: { fileName, checked },
  actions,
  bookId,
}: StepProps<'done'> & { readonly bookId: string }) => (
  <div class="stack">
    <Notice kind="success">
      <p>
        <strong>
          Imported <Name>{fileName}</Name>
        </strong>
      </p>
      <p>
        {counted(checked.rows, 'row')} of {counted(checked.products, 'product')}, in{' '}
        {counted(checked.requests.length, 'request')}.
      </p>
    </Notice>
    <div class="row">
      <a href={bookHref(bookId)}>See the prices</a>
      <button type="button" onClick={actions.discard}>
        Import another file
      </button>
    </div>
  </div>
);

const StepView = ({ actions, bookId }: { readonly actions: Import; readonly bookId: string }) => {
  const { state } = actions;
  switch (state.step) {
    case 'loading':
      return <div class="drop-area" />;
    case 'idle':
      return <DropArea onFile={actions.choose} />;
    case 'interrupted':
      return <Interrupted state={state} actions={actions} />;
    case 'checking':
      return (
        <Progress
          label="Checking"
          fileName={state.fileName}
          done={Math.round(state.share * 100)}
          whole={100}
          unit="%"
        />
      );
    case 'unreadable':
      return (
        <div class="stack">
          <Notice kind="danger">
            <p>
              <Name>{state.fileName}</Name> could not be read. Choose it again.
            </p>
          </Notice>
          <DropArea onFile={actions.choose} />
        </div>
      );
    case 'faulty':
      return (
        <div class="stack">
          <Faults fileName={state.fileName} rows={state.rows} faults={state.faults} />
          <DropArea onFile={actions.choose} />
        </div>
      );
    case 'ready':
      return <Ready state={state} actions={actions} />;
    case 'sending':
    case 'paused':
      return <Sending state={state} actions={actions} />;
    case 'done':
      return <Done state={state} actions={actions} bookId={bookId} />;
  }
};

/** Prices from a CSV file: checked, compared with the book, and then sent. */
export const ImportSection = (props: BookTabProps) => {
  const actions = useImport(props);
  const { step } = actions.state;
  const ref = useRef<HTMLElement>(null);
  const before = useRef(step);
  // The button that was pressed goes with its step: the next one begins at its section, not at the top of the page.
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    if (before.current !== 'loading' && before.current !== step && isLost) ref.current?.focus();
    before.current = step;
  }, [step]);
  return (
    <section ref={ref} class="stack" aria-labelledby="import-title" tabIndex={-1}>
      <h2 id="import-title">Import</h2>
      <StepView actions={actions} bookId={props.book.id} />
    </section>
  );
};
