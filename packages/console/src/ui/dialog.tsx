import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  /** Undefined where it must not be left. */
  readonly onClose?: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/** A modal dialog: the rest of the page waits, and Escape closes it. */
export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before anything is painted: keys that are pressed at once go to the dialog.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    ref.current?.showModal();
    return () => {
      // Removing a dialog does not give the focus back. What opened it may be gone, too.
      queueMicrotask(() => {
        const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
        (isThere ? opener : document.querySelector('h1'))?.focus();
      });
    };
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      {...(onClose === undefined && { closedby: 'none' })}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={({ currentTarget }) => {
        // Browsers let a second Escape close any dialog. What is still shown opens again.
        if (!currentTarget.isConnected || currentTarget.open) return;
        currentTarget.showModal();
        onClose?.();
      }}
    >
      <div class="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
};
