import type { HistoryEntry } from '@pricebook/application';
import {
  described,
  exactly,
  type JsonCodec,
  priceBookEventDataCodecs,
  type Reader,
  record,
  taggedBy,
} from '@pricebook/domain';
import type * as t from 'io-ts';
import { actorCodec, anyTextCodec, reasonCodec, instantCodec, revisionCodec } from './values';

export interface HistoryEntryBody {
  readonly revision: number;
  readonly type: string;
  readonly occurredAt: string;
  /** The id of the API key. */
  readonly actor: string;
  readonly requestId: string;
  readonly reason?: string;
  readonly data: unknown;
}

type DataCodec = t.Mixed & Pick<JsonCodec<unknown>, 'schema'>;

/**
 * A schema for each type of event.
 *
 * @param name of all of them together.
 * @param suffix what the name of each ends with.
 * @param fields what they have beside those of the history of a book.
 */
export const entriesByType = <Body>(
  name: string,
  suffix: string,
  fields: Readonly<Record<string, DataCodec>> = {},
) =>
  taggedBy<Body>(
    name,
    'type',
    Object.fromEntries(
      Object.entries<DataCodec>(priceBookEventDataCodecs).map(([type, data]) => [
        type,
        record(
          `${type}${suffix}`,
          {
            ...fields,
            revision: revisionCodec,
            type: exactly(type),
            occurredAt: instantCodec,
            actor: actorCodec,
            requestId: anyTextCodec,
            data,
          },
          { reason: reasonCodec },
        ) as unknown as Reader<Body>,
      ]),
    ),
  );

/** One event of a book, and everything that its request set. */
export const historyEntryCodec: JsonCodec<HistoryEntryBody> = described(
  entriesByType<HistoryEntryBody>('HistoryEntry', 'Entry'),
  {
    description: 'What one request changed in the book, when, and who asked for it.',
    examples: [
      {
        revision: 1,
        type: 'ProductPricesSet',
        occurredAt: '2026-11-21T07:20:01.471Z',
        actor: '4qFy2KdM',
        requestId: '7893674f-750a-43f3-aea8-a36167380ccb',
        data: {
          items: [{ productId: 'lamp', adjustments: { USD: { type: 'override', amount: 49.99 } } }],
        },
      },
    ],
  },
);

/** An event of a book as JSON: in lists, in streams and on the command line. */
export const historyEntryBody = ({
  revision,
  occurredAt,
  actor,
  requestId,
  reason,
  event: { type, data },
}: HistoryEntry): HistoryEntryBody => ({
  revision,
  type,
  occurredAt,
  actor,
  requestId,
  ...(reason !== undefined && { reason }),
  data,
});
