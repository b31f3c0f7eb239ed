/** Where a form of a price has its focus, and what of it is in view. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

interface FormState {
  /** Whether there is nothing yet to be changed. */
  readonly isNew: boolean;
  readonly isReady: boolean;
  /** Whether it takes nothing in, since something is on its way. */
  readonly isBusy: boolean;
  /** Whether it asks if what was typed is to be discarded. */
  readonly isLeaving: boolean;
  /** What came of the last action, always in the same order. */
  readonly outcome: readonly unknown[];
}

/** From the most urgent. */
const WANTED = ['.leaving', '[aria-invalid="true"], .fault, [role="alert"]', '.preview'];

export const useFormFocus = ({ isNew, isReady, isBusy, isLeaving, outcome }: FormState) => {
  const form = useRef<HTMLDivElement>(null);
  const fields = useRef<HTMLDivElement>(null);

  useEffect(() => {
    // What is there already is changed in its first box, beside the ones that say which price it is.
    if (!isNew) fields.current?.querySelector('input')?.select();
  }, [isReady]);

  useLayoutEffect(() => {
    // Nothing in it takes the focus.
    if (isBusy) return;
    const found = WANTED.map((what) => form.current?.querySelector<HTMLElement>(what)).find(
      (element) => element !== null,
    );
    found?.closest('details')?.setAttribute('open', '');
    found?.scrollIntoView({ block: 'nearest' });
    if (found?.ariaInvalid === 'true') found.focus({ preventScroll: true });
    if (isLeaving) found?.querySelector<HTMLElement>('button:last-of-type')?.focus();
  }, [isBusy, isLeaving, ...outcome]);

  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isBusy) before.current = document.activeElement;
    else if (document.activeElement === document.body && before.current instanceof HTMLElement)
      before.current.focus();
  }, [isBusy]);

  useLayoutEffect(() => {
    // A button that was pressed may be gone with its notice.
    if (!isBusy && document.activeElement === document.body) fields.current?.querySelector('input')?.focus();
  });

  return { form, fields };
};
