/**
 * Whether the read model's file can be trusted. It is written without waiting for the disk, since it can be rebuilt
 * from the events: after a power cut it may be damaged without a trace. A note beside it says under which start of the
 * machine it was last opened, or that it was closed in order, and how long it was and how it began. On a file that was cut
 * or overwritten LMDB ends the process instead of failing: a file that is noted as being opened has done that.
 */
import fs from 'node:fs';
import { crc32 } from 'node:zlib';
import { draftOf, writeWhole } from './whole-file';

const OPENING = 'being opened';
const OPEN = 'open since start';
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

const UNKNOWN = 'unknown';

/** Names this start of the machine; systems that do not tell have a new one each time. */
const bootId = (): string => {
  try {
    return fs.readFileSync(BOOT_ID, 'utf8').trim();
  } catch {
    return `${UNKNOWN} since ${String(Date.now())}`;
  }
};

const read = (file: string): string => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '');

const write = (file: string, text: string): void => {
  // What a process that was killed has left.
  fs.rmSync(draftOf(file), { force: true });
  // On a full disk there is no room even for this: what is said already need not be said again.
  if (read(file) !== text) writeWhole(file, text);
};

/** Both headers of LMDB are in it. */
const BEGINNING_BYTES = 32 * 1024;

/** How long a file is, and a checksum of its beginning. */
const beginningOf = (file: string): string => {
  if (!fs.existsSync(file)) return 'without a file';
  const descriptor = fs.openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(BEGINNING_BYTES);
    fs.readSync(descriptor, bytes, 0, BEGINNING_BYTES, 0);
    return `with ${String(fs.fstatSync(descriptor).size)} bytes, ${String(crc32(bytes))}`;
  } finally {
    fs.closeSync(descriptor);
  }
};

export interface ReadModelState {
  /** Whether all that was written to the read model is still there. */
  readonly isIntact: boolean;
  /** Whether it can be read beside the process that has it open, if one has. */
  readonly isReadable: boolean;
  /** For before it is opened. */
  readonly markOpening: () => void;
  readonly markOpen: () => void;
  /** For when the file has been synced and closed. */
  readonly markClosed: () => void;
  /** For when it is not known what the disk has of it. */
  readonly distrust: () => void;
}

/** The note beside a read model's file. */
const stateFileOf = (file: string): string => file.replace(/\.mdb$/, '.state');

/** All that may lie beside a read model's file because of its note. */
export const stateFilesOf = (file: string): readonly string[] => [
  stateFileOf(file),
  draftOf(stateFileOf(file)),
];

/**
 * @param readModelFile the file that the note is about.
 * @param version the version of what is kept: a read model of another one is not intact.
 * @param source the id of the event store: nor is one of other events.
 */
export const readModelState = (readModelFile: string, version: number, source: string): ReadModelState => {
  const file = stateFileOf(readModelFile);
  const text = (state: string): string => `version ${String(version)} of the events ${source}, ${state}\n`;
  const open = text(`${OPEN} ${bootId()}`);
  const found = read(file);
  const closed = (): string => text(`closed ${beginningOf(readModelFile)}`);
  // The version before noted no more than that it was closed.
  const isIntact = [open, closed(), text('closed')].includes(found);
  const unknownStart = text(`${OPEN} ${UNKNOWN}`).trimEnd();
  return {
    isIntact,
    isReadable: isIntact || found.startsWith(unknownStart),
    markOpening: () => {
      write(file, text(OPENING));
    },
    markOpen: () => {
      write(file, open);
    },
    markClosed: () => {
      try {
        write(file, closed());
      } catch {
        // Where there is no room for it, it is trusted until the machine restarts.
      }
    },
    distrust: () => {
      fs.rmSync(file, { force: true });
    },
  };
};
