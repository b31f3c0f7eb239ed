/** Takes away a change of a price that is planned, or that holds for a time. */
import { useRef, useState } from 'preact/hooks';
import { v4 as newId } from 'uuid';
import type { Answer, Api, Problem, Schemas } from '../../api/client';
import { useSession } from '../../session';
import { adjustmentText, datedWords, InWords } from '../../ui/adjustment-words';
import { ReasonField } from '../../ui/reason-field';
import { Dialog } from '../../ui/dialog';
import { Loading, Notice, ProblemNotice } from '../../ui/notice';
import { useLoad } from '../../ui/use-load';
import '../../styles/edit.css';
import { OtherChanges } from './conflict';
import type { Adjustment } from './draft';
import { type Held, loadHeld, type OtherChange } from './own';
import { PreviewTable } from './preview-table';
import { save, tryOut, type Write } from './save';

interface Plan {
  readonly bookId: string;
  readonly productId: string;
  readonly currency: string;
  /** With the bounds by which it is found. */
  readonly bounds: Pick<Adjustment, 'validFrom' | 'validUntil'>;
}

const writeOf = ({ bounds: { validFrom, validUntil }, ...place }: Plan): Write => ({
  ...place,
  scope: 'product',
  body: JSON.stringify([
    {
      productId: place.productId,
      adjustments: { [place.currency]: { type: 'cancel', validFrom, validUntil } },
    },
  ]),
});

interface Ending {
  readonly held: Held;
  /** What is planned by now; undefined where it has ended, or another person has cancelled it. */
  readonly planned: Adjustment | undefined;
  readonly preview: Schemas['PricesPreview'] | undefined;
}

const loadEnding = async (api: Api, plan: Plan, signal: AbortSignal): Promise<Answer<Ending>> => {
  const write = writeOf(plan);
  const held = await loadHeld(api, { ...write, signal });
  if (!held.ok) return held;
  const tried = await tryOut(api, write);
  if (!tried.ok) return tried;
  const planned = held.data.own.dated[plan.currency]?.find(
    ({ validFrom, validUntil }) =>
      validFrom === plan.bounds.validFrom && validUntil === plan.bounds.validUntil,
  );
  return { ...held, data: { held: held.data, planned, preview: tried.data.preview } };
};

interface CancelDialogProps {
  readonly plan: Plan;
  readonly onCancelled: () => void;
  readonly onClose: () => void;
}

const CancelDialog = ({ plan, onCancelled, onClose }: CancelDialogProps) => {
  const { api } = useSession();
  const { data, problem, isLoading, reload } = useLoad((signal) => loadEnding(api, plan, signal), []);
  const idempotencyKey = useRef(newId());
  const [others, setOthers] = useState<readonly OtherChange[]>([]);
  const [refused, setRefused] = useState<Problem>();
  const [isSending, setSending] = useState(false);
  const [reason, setReason] = useState('');

  const cancel = async ({ held }: Ending): Promise<void> => {
    setSending(true);
    setRefused(undefined);
    const outcome = await save(api, { ...writeOf(plan), reason }, held.base, idempotencyKey.current);
    setSending(false);
    if (outcome._tag === 'Saved') onCancelled();
    else if (outcome._tag === 'Refused') setRefused(outcome.problem);
    else {
      setOthers(outcome.changes);
      reload();
    }
  };

  const isGone = data !== undefined && data.planned === undefined;
  return (
    <Dialog title="Cancel a planned change" onClose={onClose}>
      {problem !== undefined && <ProblemNotice problem={problem} onRetry={reload} />}
      {data === undefined && problem === undefined && <Loading what="the change" />}
      {others.length > 0 && (
        <Notice kind="warning">
          <p>
            <strong>This price was changed meanwhile.</strong> Nothing is cancelled yet.
          </p>
          <OtherChanges changes={others} currency={plan.currency} />
        </Notice>
      )}
      {data?.planned !== undefined && (
        <>
          <p>
            This takes away <InWords words={datedWords(data.planned, plan.currency)} />. Everything else stays
            as it is.
          </p>
          {data.preview !== undefined && <PreviewTable preview={data.preview} scope="product" />}
        </>
      )}
      {isGone && <p>This change is not planned any more.</p>}
      {data !== undefined && !isGone && <ReasonField value={reason} onInput={setReason} />}
      {refused !== undefined && <ProblemNotice problem={refused} />}
      <div class="row end">
        <button type="button" onClick={isGone ? onCancelled : onClose}>
          {isGone ? 'Close' : 'Keep it'}
        </button>
        {data !== undefined && !isGone && (
          <button
            type="button"
            class="danger"
            disabled={isSending || isLoading}
            onClick={() => {
              void cancel(data);
            }}
          >
            Cancel the change
          </button>
        )}
      </div>
    </Dialog>
  );
};

interface CancelPlanProps {
  readonly bookId: string;
  readonly productId: string;
  readonly currency: string;
  readonly adjustment: Adjustment;
  readonly onCancelled: () => void;
}

/** A button, for keys that may write. */
export const CancelPlan = ({ adjustment, onCancelled, ...place }: CancelPlanProps) => {
  const [isOpen, setOpen] = useState(false);
  const { validFrom, validUntil } = adjustment;
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-label={`Cancel ${adjustmentText(adjustment, place.currency)}`}
        onClick={() => {
          setOpen(true);
        }}
      >
        Cancel
      </button>
      {isOpen && (
        <CancelDialog
          plan={{ ...place, bounds: { ...(validFrom && { validFrom }), ...(validUntil && { validUntil }) } }}
          onCancelled={() => {
            setOpen(false);
            onCancelled();
          }}
          onClose={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
};
