import type { RecordedEvent } from '@pricebook/application';
import { openEmbeddedEventStore } from '@pricebook/embedded';
import { allEvents, type Load } from '@pricebook/acceptance';

/** The events of a folder, by stream and revision. @throws where they have gaps, or cannot be read. */
export const eventsByPlace = async (folder: string): Promise<ReadonlyMap<string, RecordedEvent>> => {
  const eventStore = openEmbeddedEventStore(folder, 'read');
  try {
    const events = await allEvents(eventStore);
    return new Map(events.map((event) => [`${event.stream} ${String(event.revision)}`, event]));
  } finally {
    await eventStore.close();
  }
};

/** Writes that were acknowledged and are not there. */
export const lostWrites = (
  events: ReadonlyMap<string, RecordedEvent>,
  attempts: Load['attempts'],
): readonly string[] =>
  attempts.flatMap(({ book, revision, amount }) => {
    if (revision === undefined) return [];
    const event = events.get(`priceBook-${book} ${String(revision)}`);
    const isThere = JSON.stringify(event?.data ?? null).includes(`"amount":${String(amount)}}`);
    return isThere ? [] : [`lost: revision ${String(revision)} of ${book}, price ${String(amount)}`];
  });
