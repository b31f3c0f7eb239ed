/**
 * Carries a file over into a book: checked whole before anything is sent, then in requests that the service does once
 * each, so that it may be begun again at any time.
 */
import { createHash } from 'node:crypto';
import * as E from 'fp-ts/Either';
import { type Patience, patiently } from '../command-line/patience';
import { type CheckedSheet, checkSheet, type Extent, type FaultySheet } from './check-sheet';
import type { ImportRequest } from './requests';
import { requestsOf } from './requests-of-file';
import type { PriceService, ServiceFailure } from './service';
import type { SheetFile } from './sheet-file';

export type ImportStop =
  | ServiceFailure
  | { readonly _tag: 'Interrupted' }
  /** Somebody has written to it. */
  | { readonly _tag: 'FileChanged' };

export interface Sent {
  readonly _tag: 'Sent';
  readonly sheet: Pick<CheckedSheet, 'rows' | 'whole'>;
  readonly done: Extent;
  /** The requests among them that were done before this run. */
  readonly doneBefore: number;
  /** The revision to which the last of them has brought the book; undefined where there was none. */
  readonly revision: number | undefined;
  /** Whether others have written to the book between them. */
  readonly hasOthers: boolean;
  /** What kept it from coming to the end. */
  readonly stop?: ImportStop;
}

/** Nothing has been sent. */
interface NotBegun {
  readonly _tag: 'NotBegun';
  readonly stop: ImportStop;
}

export type Imported = FaultySheet | NotBegun | Sent;

export interface ImportOptions {
  readonly patience: Patience;
  readonly onChecked: (rows: number, share: number) => void;
  readonly onSent: (done: Extent, whole: Extent) => void;
}

/**
 * Names a request to the service. What is the same file, book and place is the same request, whenever it is sent.
 *
 * @param after the revision at which the same file was brought to its end before; undefined for the first time.
 */
const keyOf = (
  { hash }: CheckedSheet,
  bookId: string,
  after: number | undefined,
  { place, csv }: ImportRequest,
): string =>
  createHash('sha256')
    .update(JSON.stringify(['prices import', bookId.toLowerCase(), hash, after ?? null, place]))
    .update(csv)
    .digest('base64url');

/** A request that is done takes the book from one revision on to the next ones; others may come in between. */
const afterRequest = (before: Sent, request: ImportRequest, revision: number, start: number): Sent => ({
  ...before,
  done: { requests: before.done.requests + 1, products: before.done.products + request.products },
  doneBefore: before.doneBefore + (revision <= start ? 1 : 0),
  revision,
  hasOthers:
    before.hasOthers || (before.revision !== undefined && revision !== before.revision + request.events),
});

/** @throws Error what reading the file throws. */
export const importPrices = async (
  service: PriceService,
  bookId: string,
  file: SheetFile,
  { patience, onChecked, onSent }: ImportOptions,
): Promise<Imported> => {
  const { signal } = patience;
  const isStopping = (): boolean => signal.aborted;
  // Before the file is looked at: a wrong address or book, or a key that may not write, is told at once.
  const found = await service.writableRevisionOf(bookId);
  if (E.isLeft(found)) return { _tag: 'NotBegun', stop: found.left };
  const start = found.right;
  const checked = await checkSheet(file, { signal, onChecked });
  if (E.isLeft(checked)) {
    return checked.left._tag === 'Interrupted' ? { _tag: 'NotBegun', stop: checked.left } : checked.left;
  }
  const sheet = checked.right;

  /** Sends the whole file, or finds it sent. */
  const sendAll = async (after: number | undefined): Promise<Sent> => {
    const nothing: Extent = { requests: 0, products: 0 };
    let sent: Sent = {
      _tag: 'Sent',
      sheet,
      done: nothing,
      doneBefore: 0,
      revision: undefined,
      hasOthers: false,
    };
    for await (const { requests } of requestsOf(file, sheet.scattered)) {
      for (const request of requests) {
        if (isStopping()) return { ...sent, stop: { _tag: 'Interrupted' } };
        if (await file.isChanged()) return { ...sent, stop: { _tag: 'FileChanged' } };
        const key = keyOf(sheet, bookId, after, request);
        const answer = await patiently(() => service.setPrices(bookId, request.csv, key), patience);
        if (E.isLeft(answer)) {
          return { ...sent, stop: isStopping() ? { _tag: 'Interrupted' } : answer.left };
        }
        sent = afterRequest(sent, request, answer.right, start);
        onSent(sent.done, sheet.whole);
      }
    }
    return sent;
  };

  let after: number | undefined;
  for (;;) {
    const sent = await sendAll(after);
    // A service that has done all of it before does nothing now. Where the book was changed since, such as by another
    // import, the file is meant to be imported once more: under keys that say after what, which can be resumed, too.
    const wasDoneBefore = sent.stop === undefined && sent.doneBefore === sheet.whole.requests;
    if (!wasDoneBefore || sent.revision === undefined || sent.revision >= start) return sent;
    after = sent.revision;
  }
};
