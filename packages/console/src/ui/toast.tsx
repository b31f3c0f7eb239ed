import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

const SHOWN_MS = 8_000;

interface ToastProps {
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Says for some seconds that something was done, over the page, which does not move. */
export const Toast = ({ onClose, children }: ToastProps) => {
  useEffect(() => {
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return (
    <p class="toast" role="status">
      {children}
    </p>
  );
};
