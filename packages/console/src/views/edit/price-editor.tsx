/** The form of a price, of a product or of all of them. */
import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { Dialog } from '../../ui/dialog';
import { Form, TextField } from '../../ui/form';
import { Loading, Notice, ProblemNotice } from '../../ui/notice';
import { ReasonField } from '../../ui/reason-field';
import '../../styles/edit.css';
import { AdjustmentFields } from './adjustment-fields';
import { type Adjustment, adjustmentOf, currencyOf, type Scope } from './draft';
import { Conflict } from './conflict';
import { HeldList } from './held-list';
import { PreviewTable } from './preview-table';
import { SetNow } from './set-now';
import { useFormFocus } from './use-form-focus';
import { type OnSaved, usePriceEdit } from './use-price-edit';

interface PriceEditorProps {
  readonly title: string;
  readonly book: Schemas['PriceBook'];
  readonly scope: Scope;
  readonly initial: { readonly productId: string; readonly currency: string };
  readonly onClose: () => void;
  /** Called before `onClose`. */
  readonly onSaved: OnSaved;
}

const whenText = (time: number): string => {
  const at = new Date(time);
  return at.toDateString() === new Date().toDateString()
    ? `at ${at.toLocaleTimeString(undefined, { timeStyle: 'short' })}`
    : `on ${at.toLocaleDateString(undefined, { dateStyle: 'medium' })}`;
};

export const PriceEditor = ({ title, book, scope, initial, onClose, onSaved }: PriceEditorProps) => {
  const edit = usePriceEdit({
    book,
    scope,
    initial,
    onSaved: (...saved) => {
      onSaved(...saved);
      onClose();
    },
  });
  const { draft, change, faults, conflict, failed } = edit;
  const [isLeaving, setLeaving] = useState(false);
  const close = (): void => {
    // What is on its way may be stored, and is waited for.
    if (edit.isBusy) return;
    if (edit.isTouched()) setLeaving(true);
    else onClose();
  };
  const discard = (): void => {
    if (edit.isBusy) return;
    edit.forget();
    onClose();
  };
  const { form, fields } = useFormFocus({
    isNew: edit.isNew,
    isReady: edit.isReady,
    isBusy: edit.isBusy,
    isLeaving,
    outcome: [faults, failed, edit.preview],
  });
  return (
    <Dialog title={title} onClose={close}>
      {/* Browsers close a dialog at the second Escape whatever the page says, unless the key itself is taken. */}
      <div
        ref={form}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.isComposing) return;
          event.preventDefault();
          close();
        }}
      >
        <Form
          onSubmit={() => {
            void edit.save();
          }}
        >
          {edit.restoredFrom !== undefined && !isLeaving && (
            <Notice>
              <div class="row apart">
                <p>Restored what you typed {whenText(edit.restoredFrom)}</p>
                <button type="button" onClick={edit.startOver}>
                  Discard
                </button>
              </div>
            </Notice>
          )}
          {/* What is typed while it is saved would be lost with the form. */}
          <div class="stack" inert={edit.isBusy}>
            <div class={scope === 'all' ? 'place alone' : 'place'}>
              {scope === 'product' && (
                <TextField
                  label="Product"
                  value={draft.productId}
                  fault={faults.at.get('productId')}
                  autoFocus={edit.isNew}
                  onInput={(productId) => {
                    change((before) => ({ ...before, productId }));
                  }}
                />
              )}
              <TextField
                label="Currency"
                value={draft.currency}
                placeholder="USD"
                fault={faults.at.get('currency')}
                onInput={(currency) => {
                  change((before) => ({ ...before, currency }));
                }}
              />
            </div>
            <div class="set-now soft small">
              {scope === 'product' && draft.productId !== initial.productId
                ? draft.productId !== '' && (
                    <SetNow bookId={book.id} productId={draft.productId} currency={currencyOf(draft)} />
                  )
                : edit.held && (
                    <HeldList own={edit.held.own} currency={currencyOf(draft)} prefix="Set here now: " />
                  )}
            </div>
            {edit.unknown !== undefined && <ProblemNotice problem={edit.unknown} onRetry={edit.loadAgain} />}
            {!edit.isReady && edit.unknown === undefined && <Loading what="what is set now" />}
            {edit.isReady && (
              <div ref={fields} class="stack">
                <AdjustmentFields scope={scope} draft={draft} faults={faults} onChange={change} />
              </div>
            )}
            {edit.isReady && (
              <ReasonField
                value={draft.reason}
                onInput={(reason) => {
                  change((before) => ({ ...before, reason }));
                }}
              />
            )}
          </div>
          {faults.others.length > 0 && (
            <Notice kind="danger">
              {faults.others.map(({ pointer, detail }) => (
                <p key={`${pointer} ${detail}`}>
                  {pointer !== '' && <code>{pointer}</code>} {detail}
                </p>
              ))}
            </Notice>
          )}
          {failed !== undefined && <ProblemNotice problem={failed.problem} onRetry={failed.retry} />}
          {edit.takeBack !== undefined && conflict === undefined && (
            <Notice>
              <p>The form has their price now.</p>
              <div>
                <button type="button" onClick={edit.takeBack}>
                  Back to yours
                </button>
              </div>
            </Notice>
          )}
          {conflict !== undefined && (
            <Conflict
              held={conflict.held}
              changes={conflict.changes}
              currency={currencyOf(draft)}
              // It has been checked before it was sent.
              ours={adjustmentOf(draft) as Adjustment}
              isBusy={edit.isBusy}
              onTakeTheirs={conflict.takeTheirs}
              onKeepOurs={conflict.keepOurs}
              onEditOn={conflict.editOn}
            />
          )}
          {edit.preview !== undefined && <PreviewTable preview={edit.preview} scope={scope} />}
          {isLeaving ? (
            <div class="leaving">
              <Notice kind="warning">
                <p>Discard what you typed?</p>
                <div class="row">
                  <button type="button" class="danger" onClick={discard}>
                    Discard
                  </button>
                  <button
                    type="button"
                    onClick={() => {
                      setLeaving(false);
                    }}
                  >
                    Keep editing
                  </button>
                </div>
              </Notice>
            </div>
          ) : (
            conflict === undefined && (
              <div class="row end actions">
                <button type="button" onClick={close}>
                  Cancel
                </button>
                <button
                  type="button"
                  disabled={edit.isBusy || !edit.isReady}
                  onClick={() => {
                    void edit.showPreview();
                  }}
                >
                  Preview
                </button>
                <button type="submit" class="primary" disabled={edit.isBusy || !edit.isReady}>
                  Save
                </button>
              </div>
            )
          )}
        </Form>
      </div>
    </Dialog>
  );
};
