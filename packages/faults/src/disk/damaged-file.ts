/** The file of the events and its WAL, cut or with a byte flipped at many places. */
import {
  createDamageTrials,
  type DamagedFile,
  type DamageOutcome,
  type DamageTrials,
  type FileDamage,
} from '@pricebook/embedded/testing';
import type { Campaign } from '../campaign';
import { createRandom } from '../random';

const PAGE = 4_096;
/** The header of the file, and the record of the first table; the header of the WAL, and that of its first frame. */
const HEADER_BYTES: Readonly<Record<DamagedFile, number>> = { 'events.db': 256, 'events.db-wal': 56 };
/** What each frame of a WAL begins with; a page follows. */
const FRAME_HEADER_BYTES = 24;
const AT_ONCE = 2;

const TRIALS = {
  full: { events: 600, headerMasks: [1, 2, 4, 8, 16, 32, 64, 128], flips: 2_000, cuts: 400 },
  short: { events: 120, headerMasks: [2], flips: 40, cuts: 10 },
};

/** Where a page begins, or in the WAL a frame. */
const beginningOf = (file: DamagedFile, n: number): number =>
  file === 'events.db' ? n * PAGE : HEADER_BYTES[file] - FRAME_HEADER_BYTES + n * (FRAME_HEADER_BYTES + PAGE);

function* damagesOf(
  file: DamagedFile,
  size: number,
  seed: number,
  { headerMasks, flips, cuts }: (typeof TRIALS)['full'],
) {
  const { below } = createRandom(seed);
  const inside = (at: number): number => Math.min(at, size - 1);
  for (let at = 0; at < HEADER_BYTES[file]; at += 1) {
    for (const mask of headerMasks) yield { file, kind: 'flip', at, mask } satisfies FileDamage;
  }
  for (let n = 0; n < flips; n += 1) {
    // Half of them near the beginning of a page, which says where its cells are.
    const at = n % 2 === 0 ? below(size) : inside(beginningOf(file, below(size / PAGE)) + below(64));
    yield { file, kind: 'flip', at, mask: n % 3 === 0 ? 1 + below(255) : 1 << below(8) } satisfies FileDamage;
  }
  for (let n = 0; n < cuts; n += 1) {
    const at = n % 2 === 0 ? below(size) : inside(beginningOf(file, below(size / PAGE)));
    yield { file, kind: 'cut', at } satisfies FileDamage;
  }
}

/** What is wrong with what has come of it; undefined where nothing is. */
const faultOf = ({ ids }: DamageTrials, outcome: DamageOutcome): string | undefined => {
  switch (outcome._tag) {
    case 'Crashed':
      return outcome.how;
    case 'Refused':
      return outcome.message.includes('events.db')
        ? undefined
        : `refused without the file: ${outcome.message}`;
    case 'Opened':
      if (outcome.ids.length !== ids.length || outcome.ids.some((id, index) => id !== ids[index])) {
        return `opened with ${String(outcome.ids.length)} of ${String(ids.length)} events, silently`;
      }
      return outcome.isKept ? undefined : 'opened whole, but events were lost when others were added';
  }
};

export const damagedFile: Campaign = {
  name: 'damaged-file',
  title: 'the file of the events, or its WAL after a kill, cut at, or one byte flipped at, many places',
  aim: 'each time a clean start on all events, or a refusal that names the file; never a silent loss, crash or hang',
  run: async ({ size, folder, seed, progress }) => {
    const plan = TRIALS[size];
    const trials = await createDamageTrials(folder, plan.events);
    const files: readonly DamagedFile[] = ['events.db', 'events.db-wal'];
    const damages = files.flatMap((file) => [...damagesOf(file, trials.sizeOf(file), seed, plan)]);
    const faults: string[] = [];
    const count = { Refused: 0, Opened: 0, Crashed: 0 };
    let done = 0;
    const next = damages[Symbol.iterator]();
    /** Takes from what is left. */
    const shared: Iterable<FileDamage> = { [Symbol.iterator]: () => ({ next: () => next.next() }) };
    await Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        trials.tryAll(shared, (damage, outcome) => {
          count[outcome._tag] += 1;
          const fault = faultOf(trials, outcome);
          if (fault !== undefined) faults.push(`${JSON.stringify(damage)}: ${fault}`);
          done += 1;
          if (done % 500 === 0)
            progress(`${String(done)} of ${String(damages.length)}, ${String(faults.length)} faults`);
        }),
      ),
    );
    const figures =
      `${damages.length.toLocaleString('en-US')} places: ${count.Refused.toLocaleString('en-US')} refused by name, ` +
      `${count.Opened.toLocaleString('en-US')} opened with all events, ${String(count.Crashed)} crashes`;
    return { figures, faults };
  },
};
