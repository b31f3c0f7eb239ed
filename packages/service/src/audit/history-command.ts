/** `pricebook history`: everything that happened to a price book, from the event store itself. */
import { type HistoryQuestion, readHistoryItems } from '@pricebook/application';
import { priceBookIdCodec, type ProductId, productIdCodec, readTime } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { finishing, readOptions, say } from '../command-line/command';
import { patiently, STORE_PATIENCE_MS } from '../command-line/patience';
import { count, storeSentence } from '../command-line/sentences';
import type { Shell } from '../command-line/shell';
import { isReaderGone, toStream } from '../history-file/export-target';
import { openEventStoreAlone } from '../stores';
import { findBook } from './find-book';
import { type HistoryItem, jsonLine, TABLE_HEAD, tableLine } from './history-lines';

const PAGE = 1_000;

export interface HistoryArguments {
  readonly product?: string;
  readonly since?: string;
  readonly json?: boolean;
}

const productOf = (text: string | undefined): ProductId | undefined => {
  if (text === undefined) return undefined;
  const read = productIdCodec.decode(text);
  if (E.isLeft(read)) throw new Error('--product is no product id.');
  return read.right;
};

const sinceOf = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  const time = readTime(text);
  if (time === undefined) {
    throw new Error('--since must be an ISO 8601 date-time with offset, such as 2026-01-31T12:00:00Z.');
  }
  return time;
};

type Question = Omit<HistoryQuestion, 'from' | 'limit'>;

export const runHistory = (shell: Shell, book: string | undefined, args: HistoryArguments): Promise<void> =>
  finishing(shell, async (closers) => {
    if (book === undefined) throw new Error('Name a price book, or ask for --digest.');
    const [productId, since] = [productOf(args.product), sinceOf(args.since)];
    const options = readOptions(shell);
    const patience = { ms: STORE_PATIENCE_MS, signal: options.signal };
    const { eventStore } = await openEventStoreAlone('read', options, closers);
    const id = priceBookIdCodec.decode(book);
    const found = E.isRight(id) ? id : await findBook(eventStore, book, patience);
    if (E.isLeft(found)) {
      say(shell, found.left);
      return false;
    }
    const question: Question = { priceBookId: found.right, productId, since };
    const { write } = toStream(shell.output);
    // The width may change while it runs.
    const toLine = (item: HistoryItem): string =>
      args.json === true
        ? jsonLine(item)
        : tableLine(item, {
            productId: question.productId,
            width: shell.output.isTTY === true ? shell.output.columns : undefined,
          });

    let shown = 0;
    let unreadable = 0;
    for (let from: number | undefined; ;) {
      const page = await patiently(
        readHistoryItems(eventStore, { ...question, from, limit: PAGE }),
        patience,
      );
      if (options.signal.aborted) {
        say(shell, 'Interrupted.');
        return false;
      }
      if (E.isLeft(page)) {
        say(
          shell,
          page.left._tag === 'PriceBookNotFound'
            ? `There is no price book ${question.priceBookId}.`
            : storeSentence(page.left),
        );
        return false;
      }
      const { entries, next } = page.right;
      const head = shown === 0 && entries.length > 0 && args.json !== true ? [TABLE_HEAD] : [];
      const lines = [...head, ...entries.map(toLine)].map((line) => `${line}\n`).join('');
      try {
        if (lines !== '') await write(lines);
      } catch (failure) {
        if (isReaderGone(failure)) return true;
        throw failure;
      }
      shown += entries.length;
      unreadable += entries.filter(E.isLeft).length;
      if (next === undefined) break;
      from = next;
    }
    if (shown === 0) say(shell, 'Nothing in the history of this price book is as asked for.');
    if (unreadable > 0) say(shell, `${count(unreadable, 'event')} cannot be read by this version.`);
    return true;
  });
