import type { ComponentChildren } from 'preact';

interface ScrollerProps {
  readonly label: string;
  /** Whether it has a height of its own, in which it scrolls down. */
  readonly isBounded?: boolean;
  readonly children: ComponentChildren;
}

/** Around a table that may be wider than the page: it scrolls by itself, by keyboard too. */
export const Scroller = ({ label, isBounded = false, children }: ScrollerProps) => (
  <div class={isBounded ? 'scroller bounded' : 'scroller'} role="region" aria-label={label} tabIndex={0}>
    {children}
  </div>
);
