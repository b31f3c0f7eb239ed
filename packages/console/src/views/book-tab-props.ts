import type { Schemas } from '../api/client';

/** What every tab of a book is given. */
export interface BookTabProps {
  readonly book: Schemas['PriceBook'];
  /** To be called when something of the book was changed, so that its name and revision are read again. */
  readonly onChanged: () => void;
}
