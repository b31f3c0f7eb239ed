/** The commands on real stores: as other processes where they are killed, piped, or beside a service. */
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openEmbeddedEventStore } from '@pricebook/embedded';
import { eventStoreDbName, startStandIn } from '@pricebook/eventstoredb/testing';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import pino from 'pino';
import {
  alternating,
  exportText,
  type Imported,
  importText,
  readConfiguration,
  runCommand,
  type RunningService,
  serve,
  textOf,
} from '@pricebook/service/testing';
import { endAll } from '../testing/end-all';
import { newFolder } from '../testing/test-service';
import { runAsProcess, type RunningCommand, startCommand } from '../testing/command';

/** A service on the embedded stores of a folder, without a bootstrap key. */
const startService = (dataFolder: string): Promise<RunningService> => {
  const configuration = readConfiguration({ PORT: '0', PRICEBOOK_DATA_DIR: dataFolder });
  if (E.isLeft(configuration)) throw new Error(configuration.left.join());
  return serve({
    configuration: configuration.right,
    logger: pino({ level: 'silent' }),
    signal: new AbortController().signal,
  });
};

const contentOf = async (folder: string): Promise<string> => {
  const eventStore = openEmbeddedEventStore(folder, 'read');
  try {
    return await exportText(eventStore);
  } finally {
    await eventStore.close();
  }
};

const fill = async (folder: string, text: string): Promise<Imported> => {
  fs.mkdirSync(folder, { recursive: true });
  const eventStore = openEmbeddedEventStore(folder);
  try {
    return await importText(eventStore, text, { inFlight: 256 });
  } finally {
    await eventStore.close();
  }
};

describe('the commands export and import', () => {
  let folder: string;
  const running: RunningCommand[] = [];
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(async () => {
    await endAll(running);
    fs.rmSync(folder, { recursive: true });
  });

  const at = (name: string): string => path.join(folder, name);
  const read = (name: string): string => fs.readFileSync(at(name), 'utf8');
  const embeddedAt = (name: string) => ({ PRICEBOOK_DATA_DIR: at(name) });

  const start = (...args: Parameters<typeof startCommand>): RunningCommand => {
    const command = startCommand(...args);
    running.push(command);
    return command;
  };

  /** Runs a command to its end, and says what it said. */
  const run = async (
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
    status = 0,
    by = runCommand,
  ): Promise<string> => {
    const ended = await by(args, environment);
    expect(ended.status, ended.said).to.equal(status);
    return ended.said;
  };

  it('carry books, prices, their times and the keys over to another service, also while the first one writes', async () => {
    const service = await startService(at('first'));
    const { firstKey = '' } = service;
    const ask = async (url: string, method: string, target: string, json?: unknown) => {
      const answer = await fetch(`${url}/v1${target}`, {
        method,
        headers: { 'x-api-key': firstKey, 'content-type': 'application/json' },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
    };
    const idOf = ({ body }: { body: Readonly<Record<string, unknown>> }): string => String(body['id']);
    const list = idOf(await ask(service.address, 'POST', '/pricebooks', { name: 'List' }));
    const derived = idOf(
      await ask(service.address, 'POST', '/pricebooks', { name: 'Derived', basePriceBookId: list }),
    );
    await ask(service.address, 'PUT', `/pricebooks/${derived}/prices`, {
      productId: 'all',
      adjustments: { USD: { type: 'percent', amount: -15 } },
    });
    let amount = 0;
    let isExporting = true;
    const writer = async (product: string): Promise<void> => {
      while (isExporting) {
        amount += 1;
        const { status } = await ask(service.address, 'PUT', `/pricebooks/${list}/prices`, [
          { productId: product, adjustments: { USD: { type: 'override', amount } } },
        ]);
        expect(status).to.equal(200);
      }
    };
    const writing = Promise.all(['P', 'Q', 'R'].map(writer));
    await run(['export', '--file', at('early.jsonl')], embeddedAt('first'), 0, runAsProcess);
    const refused = await run(['import', at('early.jsonl')], embeddedAt('first'), 1, runAsProcess);
    isExporting = false;
    await writing;
    expect(refused).to.include('is already served by another process');

    const questions = [list, derived].flatMap((book) =>
      ['P', 'Q', 'R', 'none'].map((product) => `/pricebooks/${book}/${product}/USD`),
    );
    const answersOf = (url: string) => Promise.all(questions.map((question) => ask(url, 'GET', question)));
    const answers = await answersOf(service.address);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(6);
    await service.stop();

    const said = await run(['export', '--file', at('late.jsonl')], embeddedAt('first'));
    expect(said).to.match(/^Exported \d+ events of 3 streams to .*late\.jsonl\.\n$/);
    expect(read('early.jsonl')).not.to.equal('');
    expect(read('late.jsonl').startsWith(read('early.jsonl'))).to.equal(true);
    expect(read('early.jsonl').endsWith('}\n')).to.equal(true);

    await run(['import', at('late.jsonl')], embeddedAt('second'));
    expect(await contentOf(at('second'))).to.equal(read('late.jsonl'));
    const other = await startService(at('second'));
    expect(other.firstKey).to.equal(undefined);
    const again = await answersOf(other.address);
    // Each problem has the id of its request.
    const comparable = (all: typeof answers) =>
      all.map(({ status, body }) => [status, status === 200 ? body : body['type']]);
    expect(comparable(again)).to.deep.equal(comparable(answers));
    expect(again[0]?.body).to.have.property('effectiveDate');
    await other.stop();
  });

  it(`carry a history to ${eventStoreDbName} and back`, async () => {
    const server = await startStandIn();
    const onServer = { EVENTSTOREDB_URL: server.url, PRICEBOOK_DATA_DIR: at('unused') };
    const text = textOf(alternating(600, 40));
    fs.writeFileSync(at('history.jsonl'), text);
    try {
      expect(await run(['import', at('history.jsonl')], onServer)).to.equal(
        'Imported: 600 events appended, 0 events skipped that were there already, in 40 streams.\n',
      );
      expect(await run(['import', at('history.jsonl')], onServer)).to.equal(
        'Imported: 0 events appended, 600 events skipped that were there already, in 40 streams.\n',
      );
      await run(['export', '--file', at('back.jsonl')], onServer);
    } finally {
      await server.stop();
    }
    expect(read('back.jsonl')).to.equal(text);
    await fill(at('embedded'), read('back.jsonl'));
    expect(await contentOf(at('embedded'))).to.equal(text);
    // A store on a server does not concern the folder.
    expect(fs.existsSync(at('unused'))).to.equal(false);
  });

  it('take an import up that was killed in the middle, time after time', async () => {
    const history = alternating(16_000, 200);
    const text = textOf(history);
    await fill(at('store'), '');
    let stored = 0;
    for (const target of [1, 5_000, 10_000]) {
      const importing = start(['import'], embeddedAt('store'));
      // It cannot come to the end: that is not sent.
      importing.child.stdin.write(textOf(history.slice(0, target + 5_000)));
      const reader = openEmbeddedEventStore(at('store'), 'read');
      const headOf = async (): Promise<number> => {
        const head = await reader.head()();
        return E.isRight(head) ? Number(head.right ?? 0n) : 0;
      };
      while ((await headOf()) < target) await delay(2);
      importing.child.kill('SIGKILL');
      expect(await importing.ended).to.equal(null);
      stored = await headOf();
      await reader.close();
      expect(text.startsWith(await contentOf(at('store')))).to.equal(true);
    }
    expect(await fill(at('store'), text)).to.include({ skipped: stored, appended: history.length - stored });
    expect(await contentOf(at('store'))).to.equal(text);
  });

  it('keep the beginning of the history where the disk is full', async () => {
    const text = textOf(alternating(20_000, 200));
    fs.writeFileSync(at('history.jsonl'), text);
    const importing = start(['import', at('history.jsonl')], embeddedAt('store'), { maxFileBlocks: 8_000 });
    expect(await importing.ended).to.equal(1);
    expect(importing.said()).to.include('takes no events');
    const stored = await contentOf(at('store'));
    expect(stored.length).to.be.above(0);
    expect(text.startsWith(stored)).to.equal(true);
  });

  it('stop when they are told to, also while they wait for input, and say how to go on', async () => {
    const text = textOf(alternating(1_000, 100));
    const importing = start(['import'], embeddedAt('store'));
    importing.child.stdin.write(text);
    while (!fs.existsSync(at('store/events.db'))) await delay(5);
    await delay(100);
    importing.child.kill('SIGINT');
    expect(await importing.ended).to.equal(1);
    expect(importing.said())
      .to.match(/^The import was interrupted\.\n/)
      .and.to.include('It can be run again');
    await fill(at('store'), text);
    expect(await contentOf(at('store'))).to.equal(text);
  });

  it('name faults by their lines, and can only look for them', async () => {
    const history = alternating(10, 2);
    const text = [history.slice(0, 4), history.slice(4)].map(textOf).join('{}\n');
    fs.writeFileSync(at('history.jsonl'), text);
    const [checked, imported] = await Promise.all([
      run(['import', '--check', at('history.jsonl')], embeddedAt('checked'), 1),
      run(['import', at('history.jsonl')], embeddedAt('store'), 1),
    ]);
    expect(checked).to.equal(
      'Line 5: stream is missing.\n1 fault, and 10 sound events of 2 streams. Nothing was appended.\n',
    );
    expect(fs.existsSync(at('checked'))).to.equal(false);
    expect(imported).to.equal(
      'Line 5: stream is missing.\nThe events before it are in the store: 4 events appended, 0 events skipped ' +
        'that were there already, in 2 streams. It can be run again: it goes on where it ended.\n',
    );
  });

  it('write to standard output nothing but the history, until its reader goes', async () => {
    const text = textOf(alternating(3_000, 10));
    await fill(at('store'), text);
    const whole = start(['export'], { ...embeddedAt('store'), LOG_LEVEL: 'trace' });
    const cutOff = start(['export'], embeddedAt('store'));
    cutOff.child.stdout.once('data', () => cutOff.child.stdout.destroy());
    let output = '';
    whole.child.stdout.on('data', (piece: Buffer) => {
      output += piece.toString('latin1');
    });
    await once(whole.child.stdout, 'end');
    expect(Buffer.from(output, 'latin1').toString('utf8')).to.equal(text);
    expect(await whole.ended).to.equal(0);
    expect(whole.said()).to.equal('Exported 3,000 events of 10 streams to standard output.\n');
    expect(await cutOff.ended).to.equal(0);
    expect(cutOff.said()).to.equal('');
  });

  it('fail with a reason where there is no store or no file, and leave nothing behind', async () => {
    const [noStore, noFile, noConfiguration] = await Promise.all([
      run(['export', '--file', at('history.jsonl')], embeddedAt('nowhere'), 1),
      run(['import', at('nothing.jsonl')], embeddedAt('nowhere'), 1),
      run(['export'], { EVENTSTOREDB_URL: 'http://wrong' }, 1),
    ]);
    expect(noStore).to.include('there is no event store in');
    expect(noFile).to.include('nothing.jsonl');
    expect(noConfiguration).to.include('EVENTSTOREDB_URL');
    expect(fs.readdirSync(folder)).to.deep.equal([]);
  });
}).timeout(30_000);
