/** Keys of books where several instances give them at once. */
import { randomUUID } from 'node:crypto';
import { eventStoreDbName } from '@pricebook/eventstoredb/testing';
import { mongoDbName } from '@pricebook/mongodb/testing';
import { expect } from 'chai';
import { bodyOf, createBook, expectStatus } from './api-suite/kit';
import { type Asked, createStarted } from './testing/started';
import type { Answer } from './testing/test-service';
import { verifyAsProcess } from './testing/verify';

const BOOKS = '/v1/pricebooks';
const ROUNDS = 8;

const describeTwoInstances = (name: string, hasMongoDb: boolean): void => {
  describe(`the key of a book, asked for on two instances on ${name}`, () => {
    const started = createStarted();
    after(started.end);

    it('is given to one book, whichever instance is asked, and passed on', async () => {
      const stores: Readonly<Record<string, string>> = {
        EVENTSTOREDB_URL: await started.startEvents(),
        ...(hasMongoDb && { MONGODB_URL: await started.startDatabase() }),
      };
      const start = () => started.startProcess({ ...stores, PRICEBOOK_DATA_DIR: started.folder() });
      const two: readonly [Asked, Asked] = [await start(), await start()];
      /** A store that is slow on a busy machine is no matter of keys: it is asked again. */
      const send = async (n: number, method: string, path: string, json?: unknown): Promise<Answer> => {
        for (;;) {
          const answer = await two[(n % 2) as 0 | 1].request(method, `${BOOKS}${path}`, { json });
          if (answer.status !== 503) return answer;
        }
      };
      for (let round = 0; round < ROUNDS; round += 1) {
        const key = `key-${randomUUID()}`;
        const books = await Promise.all([0, 1].map((n) => createBook(() => two[n as 0 | 1])));
        const answers = await Promise.all([
          ...[0, 1, 2, 3].map((n) => send(n, 'POST', '', { name: 'A', key })),
          ...books.flatMap((book) => [0, 1].map((n) => send(n, 'PATCH', `/${book}`, { key }))),
        ]);
        const winners = new Set(
          answers.filter(({ status }) => status < 300).map((answer) => String(bodyOf(answer)['id'])),
        );
        expect(winners.size, 'books that were given the key').to.equal(1);
        for (const answer of answers) if (answer.status >= 300) expectStatus(answer, 409);
        const [winner = ''] = winners;
        for (const n of [0, 1]) {
          let found = await send(n, 'GET', `/key=${key}`);
          // The read model of the other instance comes after it.
          while (found.status === 404) found = await send(n, 'GET', `/key=${key}`);
          expect(bodyOf(expectStatus(found, 200))['id']).to.equal(winner);
        }
        // Free on the other instance as soon as it is given back.
        const isDeleted = round % 2 === 0;
        if (isDeleted) expectStatus(await send(0, 'DELETE', `/key=${key}`), 204);
        else expectStatus(await send(0, 'PATCH', `/key=${key}`, { key: null }), 200);
        const next = expectStatus(await send(1, 'POST', '', { name: 'B', key }), 201);
        expect(bodyOf(next)['id']).not.to.equal(winner);
      }
      if (hasMongoDb) {
        const { status, found, said } = await verifyAsProcess(stores);
        expect(found).to.deep.equal([]);
        expect(status, said).to.equal(0);
      }
    }).timeout(120_000);
  });
};

describeTwoInstances(`${eventStoreDbName}, with a read model each`, false);
if (mongoDbName !== undefined) describeTwoInstances(`${eventStoreDbName}, ${mongoDbName}`, true);
