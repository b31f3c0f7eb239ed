import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const SHOWN_MS = 8_000;

interface ToastProps {
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/**
 * Says for some seconds that something was done, over the page, which does not move. It stays under the pointer and the
 * focus. To be put into a region with the role "status", which is there before.
 */
export const Toast = ({ onClose, children }: ToastProps) => {
  const [isHeld, setHeld] = useState(false);
  const hold = (): void => {
    setHeld(true);
  };
  const release = (): void => {
    setHeld(false);
  };
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [isHeld]);
  return (
    <p class="toast" onPointerEnter={hold} onPointerLeave={release} onFocusIn={hold} onFocusOut={release}>
      {children}
    </p>
  );
};
