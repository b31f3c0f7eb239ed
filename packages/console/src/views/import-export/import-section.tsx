import { useEffect, useRef } from 'preact/hooks';
import { bookHref } from '../../router';
import { Notice } from '../../ui/notice';
import { counted, Name } from '../../ui/text';
import type { BookTabProps } from '../book-tab-props';
import { DropArea, useNoStrayDrops } from './drop-area';
import { Faults } from './faults';
import { Progress } from './progress';
import { Ready } from './ready';
import { Interrupted, Sending } from './sending';
import type { StepProps } from './step-props';
import { type Import, useImport } from './use-import';

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
    case 'outdated':
      return (
        <Notice kind="danger">
          <p>
            <strong>This page could not load a part of itself</strong>
          </p>
          <p>The service may have been updated. Reload the page, and choose the file again.</p>
          <div>
            <button
              type="button"
              onClick={() => {
                location.reload();
              }}
            >
              Reload the page
            </button>
          </div>
        </Notice>
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
  useNoStrayDrops();
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
