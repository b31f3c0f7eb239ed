import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The page that was loaded has the focus where the browser puts it; later ones have it at their headings. */
let isFirst = true;

interface PageTitleProps {
  /** For the browser's tab and its history. */
  readonly title: string;
  readonly children: ComponentChildren;
}

/** The heading of a view: whoever listens to the page hears which one has come. */
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
