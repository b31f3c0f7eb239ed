import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

interface VirtualRows {
  readonly count: number;
  /** In pixels; all rows are equally high. */
  readonly rowHeight: number;
  /** What scrolls, with a heading of the height of a row, which stays. */
  readonly scroller: RefObject<HTMLElement | null>;
}

/** Of very many rows those that can be seen, and a few around them. */
export const useVirtualRows = ({ count, rowHeight, scroller }: VirtualRows) => {
  const [, render] = useReducer((before: number) => before + 1, 0);
  const options = {
    count,
    estimateSize: () => rowHeight,
    getScrollElement: () => scroller.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    scrollMargin: rowHeight,
    scrollPaddingStart: rowHeight,
    overscan: 8,
    onChange: () => {
      render(undefined);
    },
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => {
    virtualizer._willUpdate();
  });
  return virtualizer;
};
