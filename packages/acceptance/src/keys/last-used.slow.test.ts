/** When keys were last used outlives restarts and read models that are made anew. */
import fs from 'node:fs';
import path from 'node:path';
import { mongoDbName, newDatabase, startMongoDb } from '@pricebook/mongodb/testing';
import { expect } from 'chai';
import { runCommand } from '@pricebook/service/testing';
import { newFolder, startTestService, type TestStores } from '../testing/test-service';

type Environment = Readonly<Record<string, string>>;

const run = async (args: readonly string[], environment: Environment): Promise<string> => {
  const { status, output, said } = await runCommand(args, environment);
  expect(status, said).to.equal(0);
  return output;
};

const lastUsed = async (environment: Environment): Promise<unknown> => {
  const [key = ''] = (await run(['keys', 'list', '--json'], environment)).split('\n');
  return (JSON.parse(key) as Readonly<Record<string, unknown>>)['lastUsedAt'];
};

/** Serves until something is done, and stops in order. */
const whileServing = async (environment: Environment, act: (url: string) => Promise<void>): Promise<void> => {
  const { PRICEBOOK_DATA_DIR, MONGODB_URL } = environment;
  const stores: TestStores = { mongoDbUrl: MONGODB_URL };
  const service = await startTestService(PRICEBOOK_DATA_DIR, stores);
  try {
    await act(service.url);
  } finally {
    await service.stop();
  }
};

const useOnce = async (environment: Environment): Promise<string> => {
  const key = (await run(['keys', 'create', '--name', 'A', '--scope', 'admin'], environment)).trim();
  expect(await lastUsed(environment)).to.equal(undefined);
  await whileServing(environment, async (url) => {
    const answer = await fetch(`${url}/v1/pricebooks`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: '{"name":"A"}',
    });
    expect(answer.status).to.equal(201);
  });
  const time = await lastUsed(environment);
  expect(Math.abs(Date.now() - Date.parse(String(time)))).to.be.below(120_000);
  return String(time);
};

describe('when a key was last used', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('is known after a restart and a rebuild, in a folder', async () => {
    const environment = { PRICEBOOK_DATA_DIR: folder, LOG_LEVEL: 'warn' };
    const time = await useOnce(environment);
    await run(['rebuild'], environment);
    expect(await lastUsed(environment)).to.equal(time);
    for (const file of fs.readdirSync(folder)) {
      if (file.startsWith('read-model')) fs.rmSync(path.join(folder, file));
    }
    await whileServing(environment, () => Promise.resolve());
    expect(await lastUsed(environment)).to.equal(time);
  }).timeout(30_000);

  it(`is known after a restart and a rebuild, on ${mongoDbName ?? 'MongoDB (SKIPPED: there is none)'}`, async function () {
    if (mongoDbName === undefined) this.skip();
    const server = await startMongoDb();
    const database = newDatabase(server);
    try {
      const environment = { PRICEBOOK_DATA_DIR: folder, MONGODB_URL: database.url, LOG_LEVEL: 'warn' };
      const time = await useOnce(environment);
      await run(['rebuild'], environment);
      expect(await lastUsed(environment)).to.equal(time);
      expect(fs.existsSync(path.join(folder, 'key-uses.json'))).to.equal(false);
    } finally {
      await database.remove();
      await server.stop();
    }
  }).timeout(60_000);
});
