/** Views have addresses in the fragment, so that links to them hold wherever the page is served. */
import { useEffect, useState } from 'preact/hooks';

export const BOOK_TABS = ['prices', 'all-products', 'history', 'import-export'] as const;
export type BookTab = (typeof BOOK_TABS)[number];

export type Route =
  | { readonly view: 'books' }
  | { readonly view: 'book'; readonly bookId: string; readonly tab: BookTab }
  | {
      readonly view: 'product';
      readonly bookId: string;
      readonly productId: string;
      /** Undefined to choose one. */
      readonly currency: string | undefined;
    }
  | { readonly view: 'keys' }
  | { readonly view: 'unknown' };

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
};

const isTab = (text: string): text is BookTab => BOOK_TABS.some((tab) => tab === text);

/** At the end of the address of a product. Any other question mark is part of the id. */
const CURRENCY = /\?currency=([A-Z]{3})$/;

const routeOf = (fragment: string): Route => {
  const currency = CURRENCY.exec(fragment)?.[1];
  const path = currency === undefined ? fragment : fragment.replace(CURRENCY, '');
  const parts = path.replace(/^#\/?/, '').split('/').map(decoded);
  const [first = '', bookId, third = 'prices', productId] = parts;
  if (first === '' || (first === 'books' && parts.length === 1)) return { view: 'books' };
  if (first === 'keys' && parts.length === 1) return { view: 'keys' };
  if (first !== 'books' || bookId === undefined) return { view: 'unknown' };
  if (parts.length === 3 && third === '') return { view: 'book', bookId, tab: 'prices' };
  if (parts.length <= 3 && isTab(third)) return { view: 'book', bookId, tab: third };
  return parts.length === 4 && third === 'products' && productId !== undefined && productId !== ''
    ? { view: 'product', bookId, productId, currency }
    : { view: 'unknown' };
};

export const booksHref = '#/books';
export const keysHref = '#/keys';
export const bookHref = (bookId: string, tab: BookTab = 'prices'): string =>
  `#/books/${encodeURIComponent(bookId)}${tab === 'prices' ? '' : `/${tab}`}`;
export const productHref = (bookId: string, productId: string, currency?: string): string =>
  `#/books/${encodeURIComponent(bookId)}/products/${encodeURIComponent(productId)}` +
  (currency === undefined ? '' : `?currency=${currency}`);

export const goTo = (href: string): void => {
  location.hash = href;
};

/** As goTo; the way back then leads past the current address. */
export const goOnTo = (href: string): void => {
  location.replace(href);
};

export const useRoute = (): Route => {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => {
      setFragment(location.hash);
    };
    addEventListener('hashchange', follow);
    // It may have changed before anyone listened.
    follow();
    return () => {
      removeEventListener('hashchange', follow);
    };
  }, []);
  return routeOf(fragment);
};
