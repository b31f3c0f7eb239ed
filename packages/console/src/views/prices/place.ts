/** Where a reader was in the prices of a book, for who comes back from a product or another tab. */
export interface Place {
  readonly currency?: string | undefined;
  readonly typed: string;
  /** The active row. */
  readonly row: number;
}

const places = new Map<string, Place>();

const START: Place = { typed: '', row: 0 };

export const placeIn = (bookId: string): Place => places.get(bookId) ?? START;

export const keepPlace = (bookId: string, part: Partial<Place>): void => {
  places.set(bookId, { ...placeIn(bookId), ...part });
};
