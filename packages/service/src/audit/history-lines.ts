/** The lines that `pricebook history` writes, of which none can do anything to a terminal. */
import type { HistoryEntry, UnreadableEntry } from '@pricebook/application';
import type { ProductId } from '@pricebook/domain';
import { historyEntryBody } from '@pricebook/http';
import * as E from 'fp-ts/Either';
import { cutTo, printable } from '../command-line/terminal';
import { eventInWords } from './history-words';

/** What happened, or an event that this version cannot read. */
export type HistoryItem = E.Either<UnreadableEntry, HistoryEntry>;

/** As `at` and `--since` take it. */
const TIME_WIDTH = '2026-11-21T07:20:01.486Z'.length;
const REVISION_WIDTH = 'revision'.length;
const ACTOR_WIDTH = 'bootstrap'.length;

const columns = (time: string, revision: string, actor: string, what: string): string =>
  [time.padEnd(TIME_WIDTH), revision.padStart(REVISION_WIDTH), actor.padEnd(ACTOR_WIDTH), what].join('  ');

/** What metadata says, as far as it says something. */
const textIn = (metadata: unknown, field: string): string | null => {
  const value: unknown =
    typeof metadata === 'object' && metadata !== null && Object.hasOwn(metadata, field)
      ? (metadata as Readonly<Record<string, unknown>>)[field]
      : undefined;
  return typeof value === 'string' ? value : null;
};

export const TABLE_HEAD = columns('time', 'revision', 'who', 'what');

interface TableOptions {
  /** Of an event about many products, only what is about this one. */
  readonly productId?: ProductId | undefined;
  /** The width of the terminal; undefined where it is none, and nothing is cut. */
  readonly width?: number | undefined;
}

const reasonInWords = (reason: string | undefined): string =>
  reason === undefined ? '' : `; reason: ${JSON.stringify(reason)}`;

/** An event as a row of a table. */
export const tableLine = (item: HistoryItem, { productId, width }: TableOptions): string => {
  const line = E.isRight(item)
    ? columns(
        item.right.occurredAt,
        String(item.right.revision),
        item.right.actor,
        `${eventInWords(item.right.event, productId)}${reasonInWords(item.right.reason)}`,
      )
    : columns(
        textIn(item.left.recorded.metadata, 'occurredAt') ?? '?',
        String(item.left.recorded.revision),
        textIn(item.left.recorded.metadata, 'actor') ?? '?',
        `CANNOT BE READ (${item.left.error.reason}): ${item.left.recorded.type} ${JSON.stringify(item.left.recorded.data)}`,
      );
  const safe = printable(line);
  return width === undefined ? safe : cutTo(safe, width);
};

/** An event as JSON, with the fields of Get Price Book History. One that cannot be read says why, as `unreadable`. */
export const jsonLine = (item: HistoryItem): string => {
  if (E.isRight(item)) return printable(JSON.stringify(historyEntryBody(item.right)));
  const { recorded, error } = item.left;
  const reason = textIn(recorded.metadata, 'reason');
  return printable(
    JSON.stringify({
      revision: recorded.revision,
      type: recorded.type,
      occurredAt: textIn(recorded.metadata, 'occurredAt'),
      actor: textIn(recorded.metadata, 'actor'),
      requestId: textIn(recorded.metadata, '$correlationId'),
      ...(reason !== null && { reason }),
      data: recorded.data,
      unreadable: error.reason,
    }),
  );
};
