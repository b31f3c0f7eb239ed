import fs from 'node:fs';
import path from 'node:path';
import type { EventStore } from '@pricebook/application';
import { createInMemoryEventStore } from '@pricebook/application/in-memory';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { newFolder } from '../testing/new-folder';
import { exportHistory, type ExportOptions } from './export-history';
import { openFileTarget } from './export-target';
import { alternating, exportText, importText, textOf, untroubled } from './testing/histories';

const filledStore = async (text: string): Promise<EventStore> => {
  const eventStore = createInMemoryEventStore();
  await importText(eventStore, text);
  return eventStore;
};

const runExport = (eventStore: EventStore, options: Partial<ExportOptions> = {}) =>
  exportHistory(eventStore, {
    patience: untroubled,
    write: () => Promise.resolve(),
    onProgress: () => undefined,
    ...options,
  });

describe('exporting a history', () => {
  const text = textOf(alternating(1_500, 9));

  it('reads no further than is written', async () => {
    const eventStore = await filledStore(text);
    let written = 0;
    let isWriting = false;
    const watched: EventStore = {
      ...eventStore,
      readAll: (after, limit) => {
        expect(isWriting).to.equal(false);
        expect(limit).to.be.at.most(1_000);
        return eventStore.readAll(after, limit);
      },
    };
    const exported = await runExport(watched, {
      write: async (lines) => {
        isWriting = true;
        await new Promise((resolve) => setTimeout(resolve, 5));
        written += lines.split('\n').length - 1;
        isWriting = false;
      },
    });
    expect(exported).to.deep.include({ _tag: 'Right' });
    expect(written).to.equal(1_500);
  });

  it('takes along what comes until it has reached the end', async () => {
    const history = alternating(1_500, 9);
    const eventStore = await filledStore(textOf(history.slice(0, 1_300)));
    let isFirst = true;
    const exported = await runExport(eventStore, {
      write: async () => {
        if (isFirst) await importText(eventStore, text);
        isFirst = false;
      },
    });
    expect(E.isRight(exported) ? exported.right : exported.left).to.include({ events: 1_500, streams: 9 });
  });

  it('asks again for less where the store has no time to answer', async () => {
    const eventStore = await filledStore(text);
    const limits: number[] = [];
    const slow: EventStore = {
      ...eventStore,
      readAll: (after, limit) => {
        limits.push(limit);
        return limit > 500
          ? TE.left({ _tag: 'StoreUnavailable', reason: 'too much' })
          : eventStore.readAll(after, limit);
      },
    };
    const exported = await runExport(slow, { patience: { ...untroubled, ms: 5_000 } });
    expect(E.isRight(exported) ? exported.right.events : exported.left).to.equal(1_500);
    expect(limits.slice(0, 3)).to.deep.equal([1_000, 250, 500]);
  });

  it('says so where the store stays away, is damaged, or lacks an event', async () => {
    const eventStore = await filledStore(text);
    const failing = (readAll: EventStore['readAll']): EventStore => ({ ...eventStore, readAll });
    const away = { _tag: 'StoreUnavailable', reason: 'away' } as const;
    expect(await runExport(failing(() => TE.left(away)))).to.deep.equal(E.left(away));
    const damage = { _tag: 'StoreDamaged', where: 'here', reason: 'cut off' } as const;
    expect(await runExport(failing(() => TE.left(damage)))).to.deep.equal(E.left(damage));
    const lacking = failing((after, limit) =>
      after === undefined
        ? TE.map((events: readonly unknown[]) => events.slice(1) as never)(eventStore.readAll(after, limit))
        : eventStore.readAll(after, limit),
    );
    expect(await runExport(lacking)).to.deep.equal(
      E.left({ _tag: 'Gap', stream: alternating(1, 1)[0]?.stream, revision: 0 }),
    );
  });

  it('exports an empty store as an empty file', async () => {
    expect(await exportText(createInMemoryEventStore())).to.equal('');
  });
});

describe('the file of an export', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = newFolder();
    file = path.join(folder, 'history.jsonl');
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });
  const files = (): readonly string[] => fs.readdirSync(folder).sort();

  it('has its name when it is whole, not before', async () => {
    const target = await openFileTarget(file, false);
    await target.write('one\n');
    expect(files()).to.deep.equal(['history.jsonl.part']);
    await target.write('two\n');
    await target.complete();
    await target.abandon();
    expect(files()).to.deep.equal(['history.jsonl']);
    expect(fs.readFileSync(file, 'utf8')).to.equal('one\ntwo\n');
  });

  it('leaves nothing behind where it does not become whole', async () => {
    fs.writeFileSync(file, 'earlier');
    const target = await openFileTarget(file, true);
    await target.write('one\n');
    await target.abandon();
    expect(files()).to.deep.equal(['history.jsonl']);
    expect(fs.readFileSync(file, 'utf8')).to.equal('earlier');
  });

  it('replaces another only by force, and a folder never', async () => {
    fs.writeFileSync(file, 'earlier');
    const refused = await openFileTarget(file, false).catch((failure: unknown) => failure);
    expect(refused).to.be.an('error').with.property('message').that.includes('--force');
    const target = await openFileTarget(file, true);
    await target.write('later');
    await target.complete();
    expect(fs.readFileSync(file, 'utf8')).to.equal('later');
    expect(await openFileTarget(folder, true).catch((failure: unknown) => failure)).to.be.an('error');
    expect(files()).to.deep.equal(['history.jsonl']);
  });

  it('needs a folder that is there', async () => {
    const missing = path.join(folder, 'none');
    const refused = await openFileTarget(path.join(missing, 'e.csv'), false).catch(
      (failure: unknown) => failure,
    );
    expect(refused).to.be.an('error').with.property('message', `There is no folder ${missing}.`);
  });

  it('takes no notice of what an export left that was killed', async () => {
    fs.writeFileSync(`${file}.part`, 'half a li');
    const target = await openFileTarget(file, false);
    await target.write('one\n');
    await target.complete();
    expect(fs.readFileSync(file, 'utf8')).to.equal('one\n');
    expect(files()).to.deep.equal(['history.jsonl']);
  });

  it('is whole also where two exports write it', async () => {
    const first = await openFileTarget(file, false);
    await first.write('of the first\n');
    const second = await openFileTarget(file, false);
    await second.write('of the second\n');
    const failure = await first.complete().catch((reason: unknown) => reason);
    expect(failure).to.be.an('error').with.property('message').that.includes('another export');
    await first.abandon();
    await second.complete();
    expect(fs.readFileSync(file, 'utf8')).to.equal('of the second\n');
    expect(files()).to.deep.equal(['history.jsonl']);
  });
});
