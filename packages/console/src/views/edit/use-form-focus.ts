/** Where a form of a price has its focus, and what of it is in view. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

interface FormState {
  /** Whether there is nothing yet to be changed. */
  readonly isNew: boolean;
  readonly isReady: boolean;
  /** Whether it asks if what was typed is to be discarded. */
  readonly isLeaving: boolean;
  /** Whether it has a question in the place of its buttons. */
  readonly isAsking: boolean;
  /** What came of the last action, always in the same order. */
  readonly outcome: readonly unknown[];
}

/** From the most urgent. */
const WANTED = ['.leaving', '[aria-invalid="true"], .fault, [role="alert"]', '.preview'];

export const useFormFocus = ({ isNew, isReady, isLeaving, isAsking, outcome }: FormState) => {
  const form = useRef<HTMLDivElement>(null);
  const fields = useRef<HTMLDivElement>(null);

  useEffect(() => {
    // What is there already is changed in its first box, beside the ones that say which price it is.
    if (!isNew) fields.current?.querySelector('input')?.select();
  }, [isReady]);

  useLayoutEffect(() => {
    const found = WANTED.map((what) => form.current?.querySelector<HTMLElement>(what)).find(
      (element) => element !== null,
    );
    found?.closest('details')?.setAttribute('open', '');
    found?.scrollIntoView({ block: 'nearest' });
    if (found?.ariaInvalid === 'true') found.focus({ preventScroll: true });
    if (isLeaving) found?.querySelector<HTMLElement>('button:last-of-type')?.focus();
  }, [isLeaving, ...outcome]);

  useLayoutEffect(() => {
    // The button that was pressed is gone with the question.
    if (document.activeElement === document.body) fields.current?.querySelector('input')?.focus();
  }, [isAsking]);

  return { form, fields };
};
