import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { v4 } from 'uuid';
import { createChainCheck } from '../hash-chain';
import { createInMemoryEventStore } from '../in-memory/event-store';
import type { EventStore, NewEvent } from '../ports/event-store';
import type { Ids } from '../ports/ids';
import { createApiKeys } from './api-keys';
import { hashOf } from './api-key';
import type { Scope } from './events';
import { issueFirstKey } from './first-key';
import { createApiKeyRegister } from './register';

const ids: Ids = {
  newPriceBookId: () => {
    throw new Error('no book is made here');
  },
  newCommandId: () => v4(),
  randomBytes,
};
const caller = { actor: 'somebody', requestId: 'request-1' };
const minutes = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();

const succeed = async <A>(task: TE.TaskEither<unknown, A>): Promise<A> => {
  const result = await task();
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

const failed = async (task: TE.TaskEither<{ readonly _tag: string }, unknown>): Promise<string> => {
  const result = await task();
  if (E.isRight(result)) throw new TypeError('expected a failure');
  return result.left._tag;
};

describe('the use cases of keys', () => {
  let eventStore: EventStore;
  let time: string;
  beforeEach(() => {
    eventStore = createInMemoryEventStore();
    time = minutes(0);
  });

  /** As a process has them. */
  const open = (hasBootstrapKey = false, store: Pick<EventStore, 'append' | 'read'> = eventStore) =>
    createApiKeys({
      eventStore: store,
      register: createApiKeyRegister(store),
      lastUses: TE.right(new Map([['used-one', minutes(0)]])),
      clock: { now: () => time },
      ids,
      hasBootstrapKey,
    });
  type Keys = ReturnType<typeof open>;

  const issue = (keys: Keys, scope: Scope = 'admin', expiresAt?: string) =>
    succeed(keys.issue({ name: 'A key', scopes: [scope], expiresAt }, caller));
  const listed = async (keys: Keys) => (await succeed(keys.list)).map(({ id }) => id);
  const recorded = async () => succeed(eventStore.read('apiKeys', { direction: 'forwards', limit: 100 }));

  /** An event that this version cannot read, as the next one of the stream. */
  const appendUnreadable = async (event: Pick<NewEvent, 'type' | 'data'>) => {
    const last = (await recorded()).at(-1);
    await succeed(
      eventStore.append('apiKeys', last?.revision ?? 'noStream', [{ id: v4(), metadata: {}, ...event }]),
    );
  };

  it('issue a key: it is kept as its hash, with who asked, and shown once', async () => {
    const { id, secret, ...rest } = await issue(open(), 'write', minutes(5));
    expect(rest).to.deep.equal({
      name: 'A key',
      scopes: ['write'],
      createdAt: minutes(0),
      expiresAt: minutes(5),
    });
    const [event, ...others] = await recorded();
    expect(others).to.deep.equal([]);
    expect(event?.data).to.deep.equal({
      id,
      name: 'A key',
      scopes: ['write'],
      hash: hashOf(secret).toString('hex'),
      expiresAt: minutes(5),
    });
    expect(event?.metadata).to.include({ actor: 'somebody', $correlationId: 'request-1', schemaVersion: 2 });
    expect(JSON.stringify([event?.data, event?.metadata])).not.to.include(secret.slice(13, 45));
  });

  it('issue no key that would have expired already', async () => {
    for (const expiresAt of [minutes(0), minutes(-1)]) {
      const refused = open().issue({ name: 'A key', scopes: ['read'], expiresAt }, caller);
      expect(await failed(refused)).to.equal('ExpiryInThePast');
    }
    expect(await recorded()).to.deep.equal([]);
  });

  it('list what is not revoked, oldest first, also what has expired', async () => {
    const keys = open();
    const first = await issue(keys);
    const second = await issue(keys, 'read', minutes(5));
    const third = await issue(keys, 'write');
    await succeed(keys.revoke(third.id, caller));
    time = minutes(10);
    expect(await succeed(keys.list)).to.deep.equal(
      [first, second].map(({ id, name, scopes, createdAt, expiresAt }) => ({
        id,
        name,
        scopes,
        createdAt,
        expiresAt,
        lastUsedAt: undefined,
      })),
    );
  });

  it('rename a key, and leave the rest as it was', async () => {
    const keys = open();
    const { id } = await issue(keys, 'admin', minutes(50));
    const [before] = await succeed(keys.list);
    time = minutes(1);
    const renamed = await succeed(keys.rename(id, 'Another name', caller));
    expect(renamed).to.deep.equal({ ...before, name: 'Another name' });
    await succeed(keys.rename(id, 'Another name', caller));
    expect(await succeed(open().list)).to.deep.equal([renamed]);
    expect((await recorded()).map(({ type, data }) => [type, data]).slice(1)).to.deep.equal([
      ['ApiKeyRenamed', { id, name: 'Another name' }],
    ]);
    await succeed(open(true).revoke(id, caller));
    expect(await failed(keys.rename(id, 'Too late', caller))).to.equal('ApiKeyNotFound');
  });

  it('show a key to itself, and the bootstrap key as well', async () => {
    const keys = open();
    const { id } = await issue(keys, 'read');
    const [listedKey] = await succeed(keys.list);
    expect(await succeed(keys.own(id))).to.deep.equal(listedKey);
    expect(await succeed(keys.own('bootstrap'))).to.deep.include({
      id: 'bootstrap',
      scopes: ['admin'],
      createdAt: undefined,
    });
    expect(await failed(keys.own('unknown1'))).to.equal('ApiKeyNotFound');
  });

  it('revoke a key once', async () => {
    const keys = open(true);
    const { id } = await issue(keys);
    await succeed(keys.revoke(id, caller));
    expect(await failed(keys.revoke(id, caller))).to.equal('ApiKeyNotFound');
    expect(await failed(keys.revoke('unknown', caller))).to.equal('ApiKeyNotFound');
    expect((await recorded()).map(({ type, data }) => [type, (data as { id: string }).id])).to.deep.equal([
      ['ApiKeyIssued', id],
      ['ApiKeyRevoked', id],
    ]);
  });

  it('keep the last admin key, unless a bootstrap key is set', async () => {
    const keys = open();
    const first = await issue(keys);
    await issue(keys, 'write');
    const expiring = await issue(keys, 'admin', minutes(5));
    time = minutes(6);
    expect(await failed(keys.revoke(first.id, caller))).to.equal('LastAdminKey');
    await succeed(keys.revoke(expiring.id, caller));
    const second = await issue(keys);
    await succeed(keys.revoke(first.id, caller));
    expect(await failed(keys.revoke(second.id, caller))).to.equal('LastAdminKey');
    await succeed(open(true).revoke(second.id, caller));
  });

  it('keep one of the last two where two processes revoke both at the same time', async () => {
    for (let round = 0; round < 20; round += 1) {
      eventStore = createInMemoryEventStore();
      const [one, other] = [open(), open()];
      const first = await issue(one);
      const second = await issue(one);
      const outcomes = await Promise.all([one.revoke(first.id, caller)(), other.revoke(second.id, caller)()]);
      expect(outcomes.filter(E.isRight)).to.have.length(1);
      expect(await listed(open())).to.have.length(1);
    }
  });

  it('decide anew where others write at the same time, so that nothing is lost', async () => {
    const processes = Array.from({ length: 5 }, () => open());
    const issued = await Promise.all(processes.map((keys) => issue(keys)));
    expect(new Set(await listed(open()))).to.deep.equal(new Set(issued.map(({ id }) => id)));
    const { add, heads } = createChainCheck();
    expect((await recorded()).flatMap((event) => add(event) ?? [])).to.deep.equal([]);
    expect(heads.get('apiKeys')).to.include({ revision: 4, isHashed: true });
  });

  it('never let time go back in the stream', async () => {
    const keys = open();
    await issue(keys);
    time = minutes(-60);
    const second = await issue(keys);
    expect(second.createdAt).to.equal(minutes(0));
  });

  it('pass on that the store does not answer', async () => {
    const away = TE.left({ _tag: 'StoreUnavailable', reason: 'away' } as const);
    const keys = open(false, { append: () => away, read: () => away });
    expect(await failed(keys.list)).to.equal('StoreUnavailable');
    expect(await failed(keys.revoke('some-one', caller))).to.equal('StoreUnavailable');
    const full = open(false, { append: () => away, read: eventStore.read });
    expect(await failed(full.issue({ name: 'A', scopes: ['read'] }, caller))).to.equal('StoreUnavailable');
  });

  describe('where an event cannot be read', () => {
    it('take the key away that it names, and read on', async () => {
      const keys = open();
      const first = await issue(keys);
      const second = await issue(keys);
      const third = await issue(keys, 'read');
      await appendUnreadable({ type: 'ApiKeySuspended', data: { id: second.id } });
      await appendUnreadable({ type: 'ApiKeyRevoked', data: 7 });
      await succeed(keys.revoke(third.id, caller));
      expect(await listed(keys)).to.deep.equal([first.id]);
      expect(await listed(open())).to.deep.equal([first.id]);
    });

    it('revoke keys, and issue or rename none', async () => {
      const keys = open();
      const first = await issue(keys);
      const { id } = await issue(keys, 'read');
      await appendUnreadable({ type: 'ApiKeySuspended', data: {} });
      expect(await failed(keys.issue({ name: 'A', scopes: ['read'] }, caller))).to.equal('UndecodableEvent');
      expect(await failed(keys.rename(first.id, 'B', caller))).to.equal('UndecodableEvent');
      await succeed(keys.revoke(id, caller));
    });

    it('take a hash that is none for what cannot be read', async () => {
      const keys = open();
      const { id } = await issue(keys);
      const [event] = await recorded();
      const data = { ...(event?.data as object), id: 'otherone', hash: 'ab' };
      await succeed(
        eventStore.append('apiKeys', 0, [
          { id: v4(), type: 'ApiKeyIssued', data, metadata: event?.metadata },
        ]),
      );
      expect(await listed(keys)).to.deep.equal([id]);
    });
  });

  it('issue the first key once, whoever is first', async () => {
    const clock = { now: () => time };
    const first = await succeed(issueFirstKey(eventStore, clock, ids));
    expect(await succeed(issueFirstKey(eventStore, clock, ids))).to.equal(undefined);
    expect(await listed(open())).to.deep.equal([first?.id]);
  });
});
