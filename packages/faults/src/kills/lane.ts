/** One folder, and the service on it that is killed and started again. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RecordedEvent } from '@pricebook/application';
import { openEmbeddedEventStore } from '@pricebook/embedded';
import {
  allEvents,
  eventsAfter,
  expectFolderLikeRebuilt,
  verifyAsProcess,
  type ServiceProcess,
  startProcess,
  TEST_KEY,
} from '@pricebook/acceptance';
import { createClient } from '../client';
import type { Random } from '../random';
import { createExpectedPrices } from '../expected-prices';
import { createLedger, type LedgerCounts } from './ledger';
import { askForBook, type Books, createWriter } from './writer';

const WRITERS = 24;
/** For how long they write at most before the service is killed. */
const LOAD_MS = 1_200;
/** Prices that are asked for after a start. */
const PRICES = 12;
/** How often the read model is compared with the events while the service runs. */
const VERIFIED = 0.03;
/** How often a kill comes before the service is ready, and how often that has lost its read model besides. */
const KILLED_AT_START = 0.2;
const KILLED_CATCHING_UP = 0.08;

export interface LaneCounts extends LedgerCounts {
  kills: number;
  killedAtStart: number;
  killedCatchingUp: number;
  prices: number;
  compared: number;
}

interface LaneOptions {
  readonly folder: string;
  readonly kills: number;
  readonly random: Random;
  readonly counts: LaneCounts;
  readonly tell: (fault: string) => void;
  readonly onKill: () => void;
}

const hasEvents = (folder: string): boolean => fs.existsSync(path.join(folder, 'events.db'));

const dropReadModel = (folder: string): void => {
  for (const file of fs.readdirSync(folder)) {
    if (file.startsWith('read-model')) fs.rmSync(path.join(folder, file));
  }
};

export const runLane = async ({
  folder,
  kills,
  random,
  counts,
  tell,
  onKill,
}: LaneOptions): Promise<void> => {
  const environment = { PRICEBOOK_DATA_DIR: folder, PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY };
  const ledger = createLedger(counts, tell);
  const expected = createExpectedPrices();
  const writers = Array.from({ length: WRITERS }, (_, n) =>
    createWriter(`w${String(n)}`, ledger, random.fork(), tell),
  );
  let books: Books | undefined;
  /** How long a start takes, about. */
  let startMs = 800;

  const start = (): ServiceProcess =>
    startProcess(['serve'], { ...environment, PORT: '0', LOG_LEVEL: 'fatal' });

  const readNew = async (read: typeof allEvents): Promise<readonly RecordedEvent[]> => {
    if (!hasEvents(folder)) return [];
    const eventStore = openEmbeddedEventStore(folder, 'read');
    try {
      return await read(eventStore);
    } finally {
      await eventStore.close();
    }
  };

  const kill = async ({ child, ended, output }: ServiceProcess): Promise<void> => {
    child.kill('SIGKILL');
    const { code, signal } = await ended;
    if (signal !== 'SIGKILL')
      tell(`the service ended by itself, with ${String(code ?? signal)}: ${output()}`);
    counts.kills += 1;
    onKill();
  };

  const ready = async (service: ServiceProcess): Promise<string> => {
    const began = performance.now();
    const url = await service.ready;
    startMs = (startMs + performance.now() - began) / 2;
    return url;
  };

  /** The books that all clients write to: one on top of the other, and one beside them. */
  const makeBooks = async (url: string): Promise<Books> => {
    const client = createClient(url);
    const make = async (name: string, base?: string): Promise<string> => {
      const ask = { ...askForBook(name, base), requestId: randomUUID(), after: undefined };
      ledger.sending(ask);
      const { revision, body } = await client.send({
        method: ask.method,
        path: '/v1/pricebooks',
        json: ask.json,
        requestId: ask.requestId,
      });
      ledger.told(ask, revision);
      return String((body as Readonly<Record<string, unknown>>)['id']);
    };
    const root = await make('root');
    const made: Books = [root, await make('derived', root), await make('other')];
    client.close();
    return made;
  };

  /** Prices over HTTP have to be what the events make of them. */
  const checkPrices = async (url: string, [first, ...others]: Books): Promise<void> => {
    const client = createClient(url);
    for (let n = 0; n < PRICES; n += 1) {
      const book = random.pick([first, ...others]);
      const product = random.chance(0.8)
        ? `w${String(random.below(WRITERS))}/${String(random.below(4))}`
        : `many/${String(random.below(1_000))}`;
      const path = `/v1/pricebooks/${book}/${encodeURIComponent(product)}/USD`;
      const { status, body } = await client.send({ method: 'GET', path });
      const found = body as { readonly price?: number; readonly effectiveDate?: string };
      const price = await expected.of(book, product);
      counts.prices += 1;
      if (status === (price === undefined ? 404 : 200)) {
        if (found.price === price?.price && found.effectiveDate === price?.effectiveDate) continue;
      }
      counts.lost += 1;
      tell(`${path} answers ${String(status)} ${JSON.stringify(body)}, not ${JSON.stringify(price)}`);
    }
    client.close();
  };

  const verifyBeside = async (): Promise<void> => {
    const { status, found, said } = await verifyAsProcess(environment);
    counts.compared += 1;
    if (status !== 0) tell(`verify ends with ${String(status)}: ${found.slice(0, 5).join('\n')}\n${said}`);
  };

  const killUnderLoad = async (): Promise<void> => {
    const service = start();
    const url = await ready(service);
    books ??= await makeBooks(url);
    await checkPrices(url, books);
    if (random.chance(VERIFIED)) await verifyBeside();
    const client = createClient(url);
    const stop = new AbortController();
    const to = books;
    const writing = Promise.all(writers.map((writer) => writer.run(client, to, stop.signal)));
    await delay(random.below(LOAD_MS));
    await kill(service);
    stop.abort();
    await writing;
    client.close();
  };

  const killBeforeReady = async (isCatchingUp: boolean): Promise<void> => {
    if (isCatchingUp && hasEvents(folder)) dropReadModel(folder);
    const service = start();
    // The events come late in a start, and the replay at its end.
    const after = isCatchingUp ? startMs * 0.5 + random.below(startMs) : random.below(startMs * 1.2);
    await Promise.race([delay(after), service.ended]);
    await kill(service);
    if (isCatchingUp) counts.killedCatchingUp += 1;
    else counts.killedAtStart += 1;
  };

  for (let n = 0; n < kills; n += 1) {
    const draw = n === 0 ? 1 : random.below(100) / 100;
    if (draw < KILLED_CATCHING_UP) await killBeforeReady(true);
    else if (draw < KILLED_CATCHING_UP + KILLED_AT_START) await killBeforeReady(false);
    else await killUnderLoad();
    const events = await readNew((eventStore) => eventsAfter(eventStore, ledger.last()));
    ledger.settle(events);
    await expected.applyRecorded(events);
  }

  const service = start();
  const url = await service.ready;
  if (books !== undefined) await checkPrices(url, books);
  service.child.kill('SIGTERM');
  const { code } = await service.ended;
  if (code !== 0) tell(`the service did not stop in order: ${service.output()}`);
  ledger.recheck(await readNew(allEvents));
  await expectFolderLikeRebuilt(folder);
  counts.compared += 1;
};
