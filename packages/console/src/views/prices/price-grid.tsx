/** The grid: of very many rows those that can be seen, one of which is active and moves by keyboard. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { goTo, productHref } from '../../router';
import { Name } from '../../ui/text';
import { ListPrice, OwnChange, ResolvedPrice, Since } from './cells';
import type { PriceRow } from './price-rows';
import { useVirtualRows } from './use-virtual-rows';

/** In pixels, by the reader's font size. */
const ROW_HEIGHT = 2.5 * parseFloat(getComputedStyle(document.documentElement).fontSize);
/** So many rows before the end the next page is asked for. */
const AHEAD = 300;

interface PriceGridProps {
  readonly bookId: string;
  readonly rows: readonly PriceRow[];
  /** Their number: the rows are the same array when more of them have come. */
  readonly count: number;
  readonly isDone: boolean;
  /** In place of rows where there are none. */
  readonly empty: ComponentChildren;
  readonly isStale: boolean;
  readonly onNearEnd: () => void;
  /** The row that is active first. */
  readonly initialRow: number;
  readonly onMoved: (row: number) => void;
  /** Absent where the key may not write: then a row opens its product. */
  readonly onEdit?: ((row: PriceRow) => void) | undefined;
}

const Head = () => (
  <div role="rowgroup" class="head">
    <div role="row" aria-rowindex={1} class="line" style={{ height: `${String(ROW_HEIGHT)}px` }}>
      <span role="columnheader">Product</span>
      <span role="columnheader" class="minor">
        Currency
      </span>
      <span role="columnheader" class="number minor">
        List price
      </span>
      <span role="columnheader" class="number middle">
        Own percent
      </span>
      <span role="columnheader" class="number">
        Price now
      </span>
      <span role="columnheader" class="minor">
        Since
      </span>
    </div>
  </div>
);

interface CellsProps {
  readonly row: PriceRow;
  readonly bookId: string;
  readonly isActive: boolean;
}

const Cells = ({ row, bookId, isActive }: CellsProps) => {
  const { productId, currency } = row;
  return (
    <>
      <span role="gridcell" title={productId}>
        <a href={productHref(bookId, productId, currency)} tabIndex={isActive ? 0 : -1}>
          <Name>{productId}</Name>
        </a>
      </span>
      <span role="gridcell" class="soft minor">
        {currency}
      </span>
      <span role="gridcell" class="number minor">
        <ListPrice row={row} />
      </span>
      <span role="gridcell" class="number middle">
        <OwnChange row={row} />
      </span>
      <span role="gridcell" class="number">
        <ResolvedPrice row={row} />
      </span>
      <span role="gridcell" class="soft minor">
        <Since row={row} />
      </span>
    </>
  );
};

/** Where a key leads, by the number of rows that fit; undefined where it leads nowhere. */
const movedBy = (key: string, active: number, count: number, pageful: number): number | undefined => {
  const to = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + pageful,
    PageUp: active - pageful,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined ? undefined : Math.max(0, Math.min(count - 1, to));
};

export const PriceGrid = ({
  bookId,
  rows,
  count,
  isDone,
  empty,
  isStale,
  onNearEnd,
  initialRow,
  onMoved,
  onEdit,
}: PriceGridProps) => {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState(Math.max(0, Math.min(initialRow, count - 1)));
  const setActive = (row: number): void => {
    setWanted(row);
    onMoved(row);
  };
  const active = Math.min(wanted, count - 1);
  // Rows that come later are not the one that was chosen before.
  if (active !== wanted && count > 0) setWanted(active);
  const virtualizer = useVirtualRows({ count, rowHeight: ROW_HEIGHT, scroller });
  const visible = virtualizer.getVirtualItems();
  const isNearEnd = (visible.at(-1)?.index ?? 0) + AHEAD > count;

  useEffect(() => {
    if (!isDone && isNearEnd) onNearEnd();
  });
  useLayoutEffect(() => {
    if (active > 0) virtualizer.scrollToIndex(active, { align: 'center' });
  }, []);

  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const row = rows[active];
    if (event.key === 'Enter' && event.target === event.currentTarget && row !== undefined) {
      event.preventDefault();
      if (onEdit === undefined) goTo(productHref(bookId, row.productId, row.currency));
      else onEdit(row);
    }
    const pageful = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 2);
    const to = movedBy(event.key, active, count, pageful);
    if (to === undefined) return;
    event.preventDefault();
    setActive(to);
    virtualizer.scrollToIndex(to, { align: 'auto' });
  };

  return (
    <div
      ref={scroller}
      class={`prices ${isStale ? 'stale' : ''}`}
      role="grid"
      aria-label="Prices"
      aria-rowcount={isDone ? count + 1 : -1}
      aria-colcount={6}
      aria-busy={isStale}
      aria-activedescendant={
        visible.some(({ index }) => index === active) ? `${id}-${String(active)}` : undefined
      }
      tabIndex={0}
      onKeyDown={press}
    >
      <Head />
      {count === 0 && (
        <div role="rowgroup">
          <div role="row">
            <div role="gridcell">{empty}</div>
          </div>
        </div>
      )}
      <div role="rowgroup" class="rows" style={{ height: `${String(virtualizer.getTotalSize())}px` }}>
        {visible.map(({ index, start }) => {
          const row = rows[index];
          return (
            row !== undefined && (
              <div
                key={index}
                id={`${id}-${String(index)}`}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={index === active}
                class="line"
                style={{
                  height: `${String(ROW_HEIGHT)}px`,
                  transform: `translateY(${String(start - ROW_HEIGHT)}px)`,
                }}
                onClick={() => {
                  setActive(index);
                }}
                onDblClick={() => {
                  onEdit?.(row);
                }}
              >
                <Cells row={row} bookId={bookId} isActive={index === active} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
};
