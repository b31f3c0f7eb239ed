/**
 * Checks the WAL that a process left behind. SQLite takes the first frame that is not as it was written for the end, as a
 * machine that goes down leaves one; what follows it is dropped without a word. A commit is synced before the next
 * one begins, so a machine leaves at most one that is incomplete: where two and more follow, the frame was damaged later.
 * The format: https://sqlite.org/fileformat2.html#walformat
 */
import fs from 'node:fs';
import { Damage } from './damage';

const HEADER_BYTES = 32;
const FRAME_BYTES = 24;
/** Of a header; the lowest bit says in which order the bytes of checksums are read. */
const MAGIC = 0x377f0682;
const SALTS_AT = 16;
const CHECKSUM_AT = 24;
const FRAME_SALTS_AT = 8;
const FRAME_CHECKSUM_AT = 16;
/** In a frame: the size of the database after the commit that it ends; 0 where it ends none. */
const COMMIT_AT = 4;

type Sums = readonly [number, number];

const isPageSize = (size: number): boolean => size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;

/** How the checksums of a WAL go on over some bytes. */
const createSum = (isBigEndian: boolean) => {
  const word = (bytes: Buffer, at: number): number =>
    isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
  return (bytes: Buffer, [first, second]: Sums): Sums => {
    let [a, b] = [first, second];
    for (let at = 0; at < bytes.length; at += 8) {
      a = (a + word(bytes, at) + b) >>> 0;
      b = (b + word(bytes, at + 4) + a) >>> 0;
    }
    return [a, b];
  };
};

const sumsAt = (bytes: Buffer, at: number): Sums => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
const isSame = (one: Sums, other: Sums): boolean => one[0] === other[0] && one[1] === other[1];

/** The first frame that is not as it was written, and how many commits follow it; undefined where there is none. */
const findBroken = (wal: Buffer): { readonly frame: number; readonly commits: number } | undefined => {
  const magic = wal.readUInt32BE(0);
  const pageSize = wal.readUInt32BE(8);
  const sum = createSum((magic & 1) === 1);
  let sums = sum(wal.subarray(0, CHECKSUM_AT), [0, 0]);
  const isHeaderWhole =
    magic >>> 1 === MAGIC >>> 1 && isPageSize(pageSize) && isSame(sums, sumsAt(wal, CHECKSUM_AT));
  const bytes = FRAME_BYTES + (isPageSize(pageSize) ? pageSize : 4096);
  // The frames of an earlier use of the file have other salts.
  const salts = wal.subarray(SALTS_AT, CHECKSUM_AT);
  const firstSalts = wal.subarray(HEADER_BYTES + FRAME_SALTS_AT, HEADER_BYTES + FRAME_CHECKSUM_AT);
  const isOfThisUse = (frame: Buffer): boolean =>
    frame.subarray(FRAME_SALTS_AT, FRAME_CHECKSUM_AT).equals(isHeaderWhole ? salts : firstSalts);

  let broken = isHeaderWhole ? undefined : 0;
  let commits = 0;
  for (let at = HEADER_BYTES, n = 1; at + bytes <= wal.length; at += bytes, n += 1) {
    const frame = wal.subarray(at, at + bytes);
    if (broken === undefined) {
      const next = sum(frame.subarray(FRAME_BYTES), sum(frame.subarray(0, FRAME_SALTS_AT), sums));
      if (isOfThisUse(frame) && isSame(next, sumsAt(frame, FRAME_CHECKSUM_AT))) {
        sums = next;
        continue;
      }
      broken = n;
    }
    if (isOfThisUse(frame) && frame.readUInt32BE(COMMIT_AT) !== 0) commits += 1;
  }
  return broken === undefined ? undefined : { frame: broken, commits };
};

/**
 * Checks the WAL beside a file, where there is one, before SQLite opens the file.
 *
 * @throws Damage
 */
export const checkWal = (file: string): void => {
  const name = `${file}-wal`;
  if (!fs.existsSync(name)) return;
  const look = () => {
    const wal = fs.readFileSync(name);
    return wal.length <= HEADER_BYTES + FRAME_BYTES ? undefined : findBroken(wal);
  };
  // A tool that appends beside the service may be writing what is read: the second look tells.
  const found = (look()?.commits ?? 0) < 2 ? undefined : look();
  if (found === undefined || found.commits < 2) return;
  const { frame, commits } = found;
  const what = frame === 0 ? 'its header' : `its frame ${String(frame)}`;
  throw new Damage(name, `${what} is not as it was written, and ${String(commits)} commits follow`);
};
