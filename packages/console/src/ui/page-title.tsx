import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The view that comes with the page has the focus where the browser puts it; later ones have it at their headings. */
let isFirst = true;

/** After something was done to come to the first view. */
export const focusTitle = (): void => {
  isFirst = false;
};

interface PageTitleProps {
  /** For the browser's tab and its history. */
  readonly title: string;
  readonly children: ComponentChildren;
}

/** The heading of a view: screen readers say it when the view comes. */
export const PageTitle = ({ title, children }: PageTitleProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
  useEffect(() => {
    document.title = `${title} – Pricing console`;
  }, [title]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
};
