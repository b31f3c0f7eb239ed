/** The file of the events, cut or with a byte flipped at many places. */
import {
  createDamageTrials,
  type DamageOutcome,
  type DamageTrials,
  type FileDamage,
} from '@pricebook/embedded/testing';
import type { Campaign } from '../campaign';
import { createRandom } from '../random';

const PAGE = 4_096;
/** What the headers of the file say; two pages begin with them. */
const HEADER_BYTES = 168;
const AT_ONCE = 2;

const TRIALS = {
  full: { events: 600, headerMasks: [1, 2, 4, 8, 16, 32, 64, 128], flips: 4_000, cuts: 600 },
  short: { events: 120, headerMasks: [2], flips: 80, cuts: 20 },
};

function* damagesOf(size: number, seed: number, { headerMasks, flips, cuts }: (typeof TRIALS)['full']) {
  const { below } = createRandom(seed);
  for (const header of [0, PAGE]) {
    for (let at = header; at < header + HEADER_BYTES; at += 1) {
      for (const mask of headerMasks) yield { kind: 'flip', at, mask } satisfies FileDamage;
    }
  }
  for (let n = 0; n < flips; n += 1) {
    // Half of them near the beginning of a page, where LMDB keeps what it trusts.
    const at = n % 2 === 0 ? below(size) : below(size / PAGE) * PAGE + below(64);
    yield { kind: 'flip', at, mask: n % 3 === 0 ? 1 + below(255) : 1 << below(8) } satisfies FileDamage;
  }
  for (let n = 0; n < cuts; n += 1) {
    const at = n % 2 === 0 ? below(size) : below(size / PAGE) * PAGE;
    yield { kind: 'cut', at } satisfies FileDamage;
  }
}

/** What is wrong with what has come of it; undefined where nothing is. */
const faultOf = ({ ids }: DamageTrials, outcome: DamageOutcome): string | undefined => {
  switch (outcome._tag) {
    case 'Crashed':
      return outcome.how;
    case 'Refused':
      return outcome.message.includes('events.mdb')
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
  title: 'the data file cut at, or one byte flipped at, many places',
  aim: 'each time a clean start on all events, or a refusal that names the file; never a silent loss, crash or hang',
  run: async ({ size, folder, seed, progress }) => {
    const plan = TRIALS[size];
    const trials = await createDamageTrials(folder, plan.events);
    const damages = [...damagesOf(trials.size, seed, plan)];
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
