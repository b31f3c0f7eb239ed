/** `pricebook history` on real stores: as another process where its reader, its memory or a service beside it counts. */
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { openEmbeddedEventStore } from '@pricebook/embedded';
import { eventStoreDbName, startStandIn } from '@pricebook/eventstoredb/testing';
import { expect } from 'chai';
import {
  created,
  type HistoryEvent,
  historyOf,
  importText,
  priceSet,
  runCommand,
  textOf,
} from '@pricebook/service/testing';
import { endAll } from '../testing/end-all';
import { runAsProcess, type RunningCommand, startCommand } from '../testing/command';
import { newFolder, startTestService } from '../testing/test-service';

const BOOK = '01890000-0000-7000-8000-000000000001';

const fill = async (folder: string, events: readonly HistoryEvent[]): Promise<void> => {
  fs.mkdirSync(folder, { recursive: true });
  const eventStore = openEmbeddedEventStore(folder);
  try {
    // In parts: the embedded store is given groups as they come.
    await importText(eventStore, textOf(events), { inFlight: 256, pieceBytes: 256 * 1024 });
  } finally {
    await eventStore.close();
  }
};

describe('the command history', () => {
  let folder: string;
  const running: RunningCommand[] = [];
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(async () => {
    await endAll(running);
    fs.rmSync(folder, { recursive: true });
  });

  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    PRICEBOOK_DATA_DIR: path.join(folder, 'store'),
    ...more,
  });
  const start = (args: readonly string[], env = environment()): RunningCommand => {
    const command = startCommand(['history', ...args], env);
    running.push(command);
    return command;
  };
  /** Runs it to its end: its lines, and what it said beside them. */
  const runBy =
    (by: typeof runCommand) =>
    async (args: readonly string[], env = environment(), status = 0) => {
      const { output, said, status: ended } = await by(['history', ...args], env);
      expect(ended, said).to.equal(status);
      const lines = output.split('\n');
      expect(lines.pop()).to.equal('');
      return { lines, said };
    };
  const run = runBy(runCommand);
  const jsonOf = (lines: readonly string[]) =>
    lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

  it('answers as the HTTP API does, beside a service that runs on the same folder', async () => {
    const service = await startTestService(path.join(folder, 'store'));
    try {
      const { body } = await service.request('POST', '/v1/pricebooks', { json: { name: 'Retail' } });
      const { id } = body as { readonly id: string };
      const put = (json: unknown) => service.request('PUT', `/v1/pricebooks/${id}/prices`, { json });
      const item = (productId: string, amount: number) => ({
        productId,
        adjustments: { USD: { type: 'override', amount } },
      });
      await put([item('lamp', 1), item('desk', 2)]);
      await put([item('desk', 3)]);
      const since = (await put({ productId: 'all', adjustments: { USD: null } })).body as {
        readonly updatedAt: string;
      };
      const queries: readonly (readonly [args: readonly string[], query: string])[] = [
        [[], ''],
        [['--product', 'lamp'], '?productId=lamp'],
        [['--since', since.updatedAt], `?since=${since.updatedAt}`],
      ];
      for (const [args, query] of queries) {
        const answer = await service.request('GET', `/v1/pricebooks/${id}/events${query}`);
        const { lines, said } = await runBy(runAsProcess)([id, '--json', ...args]);
        expect(jsonOf(lines)).to.deep.equal(answer.body);
        expect(said).to.equal('');
      }
      const { lines } = await runBy(runAsProcess)([id.toUpperCase(), '--product', 'lamp']);
      expect(lines.map((line) => line.slice(26))).to.deep.equal([
        'revision  who        what',
        '       1  bootstrap  prices set (1 of 2 products): lamp USD override 1',
        '       3  bootstrap  all products: USD removed',
      ]);
    } finally {
      await service.stop();
    }
  });

  it(`reads from ${eventStoreDbName} where that has the events`, async () => {
    const server = await startStandIn();
    try {
      const env = { EVENTSTOREDB_URL: server.url };
      const file = path.join(folder, 'history.jsonl');
      fs.writeFileSync(file, textOf(historyOf([created(1), created(2), priceSet(1, 7)])));
      expect(await runCommand(['import', file], env)).to.include({ status: 0 });
      const { lines } = await run([BOOK, '--json'], env as never);
      expect(jsonOf(lines).map(({ revision, type }) => [revision, type])).to.deep.equal([
        [0, 'PriceBookCreated'],
        [1, 'ProductPricesSet'],
      ]);
    } finally {
      await server.stop();
    }
  });

  it('shows a history of many large events in little memory', async () => {
    const events = 100;
    const update = {
      stream: `priceBook-${BOOK}`,
      type: 'PriceBookUpdated',
      data: { description: 'x'.repeat(900_000) },
    };
    await fill(
      environment().PRICEBOOK_DATA_DIR,
      historyOf([created(1), ...Array<typeof update>(events).fill(update)]),
    );
    const { child, ended, said } = start([BOOK], environment({ NODE_OPTIONS: '--max-old-space-size=64' }));
    let lineFeeds = 0;
    let bytes = 0;
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      for (const byte of piece) if (byte === 10) lineFeeds += 1;
    });
    expect(await ended, said()).to.equal(0);
    expect(lineFeeds).to.equal(events + 2);
    expect(bytes).to.be.above(events * 900_000);
  });

  it('ends quietly when its reader goes', async () => {
    await fill(
      environment().PRICEBOOK_DATA_DIR,
      historyOf([created(1), ...Array.from({ length: 20_000 }, (_, n) => priceSet(1, n))]),
    );
    const { child, ended, said } = start([BOOK]);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await ended).to.equal(0);
    expect(said()).to.equal('');
  });

  it('shows an event that it cannot read as it is kept, and goes on', async () => {
    const store = environment().PRICEBOOK_DATA_DIR;
    await fill(store, historyOf([created(1)]));
    const painted = { stream: `priceBook-${BOOK}`, type: 'PriceBookPainted', data: { colour: 'red' } };
    const [, first, second] = historyOf([created(1), painted, priceSet(1, 7)]);
    if (first === undefined || second === undefined) throw new Error('they are there');
    const eventStore = openEmbeddedEventStore(store);
    await eventStore.append(first.stream, 0, [first, second])();
    await eventStore.close();
    const table = await run([BOOK]);
    expect(table.lines).to.have.length(4);
    expect(table.lines[2]).to.match(
      / 1  tester +CANNOT BE READ \(.+\): PriceBookPainted \{"colour":"red"\}$/,
    );
    expect(table.lines[3]).to.match(/ 2  tester +prices set: P USD override 7$/);
    expect(table.said).to.equal('1 event cannot be read by this version.\n');
    const json = jsonOf((await run([BOOK, '--json'])).lines);
    expect(json[1]).to.include({ revision: 1, type: 'PriceBookPainted', actor: 'tester' });
    expect(json[1]).to.have.property('unreadable').that.is.a('string');
    expect(json[0]).not.to.have.property('unreadable');
  });

  it('says what is wrong with what it was asked, or that there is nothing', async () => {
    await fill(environment().PRICEBOOK_DATA_DIR, historyOf([created(1)]));
    const other = '01890000-0000-7000-8000-000000000002';
    const refused: readonly (readonly [args: readonly string[], says: string])[] = [
      [[other], `There is no price book ${other}.\n`],
      [
        ['b\u001b[0m'],
        'No price book has the name or the key "b\\u001b[0m", or an id that begins with it.\n',
      ],
      [[BOOK, '--product', 'all'], '--product is no product id.\n'],
      [
        [BOOK, '--since', '2026-01-01'],
        '--since must be an ISO 8601 date-time with offset, such as 2026-01-31T12:00:00Z.\n',
      ],
    ];
    for (const [args, says] of refused)
      expect(await run(args, environment(), 1)).to.deep.equal({ lines: [], said: says });
    expect(await run([BOOK, '--since', '2999-01-01T00:00:00Z'])).to.deep.equal({
      lines: [],
      said: 'Nothing in the history of this price book is as asked for.\n',
    });
    const nowhere = await run([BOOK], environment({ PRICEBOOK_DATA_DIR: path.join(folder, 'nowhere') }), 1);
    expect(nowhere.said).to.include('there is no event store in');
  });
}).timeout(30_000);
