/** Which concerns reads and writes have, on a replica set whose members do not agree. Needs `npm run mongod`. */
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { connect, type Named, type Server } from './server';
import { mongodIsThere } from './testing/mongod';
import { type ReplicaSet, startReplicaSet } from './testing/replica-set';
import { NO_MONGODB } from './testing/server';

if (!mongodIsThere()) it(`read and write concerns: ${NO_MONGODB}`);

(mongodIsThere() ? describe : describe.skip)('reads and writes on a replica set', function () {
  this.timeout(120_000);
  let set: ReplicaSet;
  let server: Server;

  beforeEach(async () => {
    set = await startReplicaSet();
    server = await connect(set.url);
  });
  afterEach(async () => {
    await server.close();
    await set.remove();
  });

  const add = (_id: string) =>
    server.command(() => server.database.collection<Named>('probe').insertOne({ _id }));
  const addOnPrimary = async (_id: string): Promise<void> => {
    await server.database.collection<Named>('probe').insertOne({ _id }, { writeConcern: { w: 1 } });
  };
  const names = async (): Promise<string> => {
    const found = await server.query(() => server.database.collection<Named>('probe').find().toArray())();
    // Members apply writes in parallel: the natural order is none.
    return E.isLeft(found)
      ? 'refused'
      : found.right
          .map(({ _id }) => _id)
          .sort()
          .join(' ');
  };
  const failed = (write: Promise<unknown>): Promise<boolean> =>
    write.then(
      () => false,
      () => true,
    );

  it('have succeeded, and are seen, when a majority has them and not before', async () => {
    await add('a');
    expect(await names()).to.equal('a');
    await set.stall(1, true);
    await set.stall(2, true);
    expect(await failed(add('b'))).to.equal(true);
    expect(await names()).to.equal('a');
    // Nothing to change is no proof that a majority has it.
    expect(
      await failed(
        server.command(() => server.database.collection('probe').updateOne({ none: 1 }, { $set: { a: 1 } })),
      ),
    ).to.equal(true);
    await set.stall(1, false);
    await set.writable();
    expect(await names()).to.equal('a b');
  });

  it('are refused by a new primary until it knows what a majority has, and then miss nothing', async () => {
    await add('a');
    await set.stall(2, true);
    await add('b');
    await set.kill(0);
    expect(await set.primary()).to.equal(1);
    expect(await names()).to.equal('refused');
    await set.stall(2, false);
    await set.writable();
    expect(await names()).to.equal('a b');
  });

  it('show nothing that is rolled back', async () => {
    await add('a');
    await set.stall(1, true);
    await set.stall(2, true);
    expect(await failed(add('lost'))).to.equal(true);
    await set.kill(0);
    await set.stall(1, false);
    await set.stall(2, false);
    await set.writable();
    expect(await names()).to.equal('a');
    await set.restart(0);
    await add('b');
    expect(await names()).to.equal('a b');
  });

  it('in a batch have succeeded when a majority has them', async () => {
    await server.together(() => addOnPrimary('a'));
    expect(await names()).to.equal('a');
    await set.stall(1, true);
    await set.stall(2, true);
    expect(await failed(server.together(() => addOnPrimary('b')))).to.equal(true);
    expect(await names()).to.equal('a');
  });

  it('in a batch fail where the primary that has the first ones is lost', async () => {
    const batch = server.together(async () => {
      await set.stall(1, true);
      await set.stall(2, true);
      await addOnPrimary('lost');
      await set.kill(0);
      await set.stall(1, false);
      await set.stall(2, false);
      await set.writable();
      await addOnPrimary('kept');
    });
    expect(await failed(batch)).to.equal(true);
    await set.writable();
    expect(await names()).to.equal('kept');
  });
});
