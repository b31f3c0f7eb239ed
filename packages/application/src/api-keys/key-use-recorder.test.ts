import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { createInMemoryKeyUses } from '../in-memory/key-uses';
import type { KeyUses, LastUses } from '../ports/key-uses';
import type { StoreError } from '../ports/store-error';
import { createKeyUseRecorder } from './key-use-recorder';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();
const away = { _tag: 'StoreUnavailable', reason: 'away' } as const;

describe('the recorder of uses', () => {
  /** A recorder on uses that can fail, which counts how often it hands any on. */
  const open = (flushMs: number) => {
    const kept = createInMemoryKeyUses();
    const batches: LastUses[] = [];
    const failures: StoreError[] = [];
    let isAway = false;
    let time = at(0);
    const keyUses: KeyUses = {
      record: (uses) => {
        batches.push(uses);
        return isAway ? TE.left(away) : kept.record(uses);
      },
      readAll: kept.readAll,
    };
    const recorder = createKeyUseRecorder(
      keyUses,
      { now: () => time },
      (error) => failures.push(error),
      flushMs,
    );
    const note = (keyId: string, second: number) => {
      time = at(second);
      recorder.note(keyId);
    };
    const keptUses = async () => {
      const found = await kept.readAll();
      return E.isRight(found) ? Object.fromEntries(found.right) : undefined;
    };
    const goAway = (isGone: boolean) => {
      isAway = isGone;
    };
    return { recorder, note, batches, failures, keptUses, goAway };
  };
  const lastUses = async ({ recorder }: ReturnType<typeof open>) => {
    const found = await recorder.lastUses();
    return E.isRight(found) ? Object.fromEntries(found.right) : undefined;
  };

  it('hands many uses on as the last minute of each key, once', async () => {
    const opened = open(60_000);
    opened.note('b', 1);
    expect(await lastUses(opened)).to.deep.equal({ b: at(0) });
    for (let second = 0; second < 130; second += 1) opened.note('a', second);
    expect(opened.batches).to.deep.equal([]);
    expect(await lastUses(opened)).to.deep.equal({ a: at(120), b: at(0) });
    await opened.recorder.close();
    expect(opened.batches).to.have.length(1);
    expect(await opened.keptUses()).to.deep.equal({ a: at(120), b: at(0) });
  });

  it('does so now and then, and not where there is nothing new', async () => {
    const opened = open(20);
    opened.note('a', 0);
    await delay(120);
    expect(opened.batches).to.have.length(1);
    opened.note('a', 60);
    await delay(60);
    expect(await opened.keptUses()).to.deep.equal({ a: at(60) });
    await opened.recorder.close();
    expect(opened.batches).to.have.length(2);
  });

  it('keeps what could not be handed on, and tries again', async () => {
    const opened = open(20);
    opened.goAway(true);
    opened.note('a', 0);
    opened.note('b', 0);
    await delay(60);
    opened.note('a', 60);
    expect(opened.failures[0]).to.deep.equal(away);
    expect(await lastUses(opened)).to.deep.equal({ a: at(60), b: at(0) });
    opened.goAway(false);
    await delay(60);
    expect(await opened.keptUses()).to.deep.equal({ a: at(60), b: at(0) });
    await opened.recorder.close();
  });

  it('shows also those that are on their way to where they are kept', async () => {
    const kept = createInMemoryKeyUses();
    let arrive = (): void => undefined;
    const recorder = createKeyUseRecorder(
      {
        record: (uses) => async () => {
          await new Promise<void>((resolve) => (arrive = resolve));
          return kept.record(uses)();
        },
        readAll: async () => {
          const found = await kept.readAll();
          await delay(30);
          return found;
        },
      },
      { now: () => at(0) },
      () => undefined,
      20,
    );
    recorder.note('a');
    await delay(60);
    // It is looked while they are on their way, and they arrive after what is kept was read.
    const looked = recorder.lastUses();
    await delay(10);
    arrive();
    const found = await looked;
    expect(E.isRight(found) && found.right.get('a')).to.equal(at(0));
    await recorder.close();
  });

  it('ends also where nothing answers', async () => {
    const recorder = createKeyUseRecorder(
      { record: () => () => new Promise(() => undefined), readAll: TE.right(new Map<string, string>()) },
      { now: () => at(0) },
      () => undefined,
    );
    recorder.note('a');
    const began = Date.now();
    await recorder.close();
    expect(Date.now() - began).to.be.below(1_900);
  });
});
