/**
 * Keeps the events of a stand-in beyond its process: a line of JSON for each append, written before the append is
 * answered. Without fsync, for the tests kill processes and not machines. A line that was cut off is dropped.
 */
import fs from 'node:fs';
import type { StoredEvent } from './stored-event';

export interface DataFile {
  readonly write: (events: readonly StoredEvent[]) => void;
  readonly close: () => void;
}

type Written = { readonly [Key in keyof StoredEvent]: Key extends 'created' ? number : string };

const toWritten = (event: StoredEvent): Written => ({
  ...event,
  revision: String(event.revision),
  position: String(event.position),
  data: Buffer.from(event.data).toString('base64'),
  metadata: Buffer.from(event.metadata).toString('base64'),
});

const fromWritten = (written: Written): StoredEvent => ({
  ...written,
  revision: BigInt(written.revision),
  position: BigInt(written.position),
  data: Buffer.from(written.data, 'base64'),
  metadata: Buffer.from(written.metadata, 'base64'),
});

/** @param load gets the events of each append that the file has. */
export const openDataFile = (file: string, load: (events: readonly StoredEvent[]) => void): DataFile => {
  const content = fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0);
  let whole = 0;
  for (let end = content.indexOf('\n'); end !== -1; end = content.indexOf('\n', whole)) {
    load((JSON.parse(content.toString('utf8', whole, end)) as readonly Written[]).map(fromWritten));
    whole = end + 1;
  }
  if (whole < content.length) fs.truncateSync(file, whole);
  const descriptor = fs.openSync(file, 'a');
  return {
    write: (events) => {
      const line = Buffer.from(`${JSON.stringify(events.map(toWritten))}\n`, 'utf8');
      for (let written = 0; written < line.length;) written += fs.writeSync(descriptor, line, written);
    },
    close: () => {
      fs.closeSync(descriptor);
    },
  };
};
