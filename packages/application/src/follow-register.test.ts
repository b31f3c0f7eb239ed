import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import * as TE from 'fp-ts/TaskEither';
import { v4 } from 'uuid';
import { createInMemoryEventStore } from './in-memory/event-store';
import type { ChainEnd } from './hash-chain';
import type { EventStore } from './ports/event-store';
import type { StoreError } from './ports/store-error';
import { newEvent } from './recorded-event';
import type { ApiKeyEvent } from './api-keys/events';
import { followRegister, type RegisterFollower, type RegisterStatus } from './follow-register';
import { type ApiKeyRegister, createApiKeyRegister } from './api-keys/register';

const AT = '2026-01-01T00:00:00.000Z';

const issued = (id: string): ApiKeyEvent => ({
  type: 'ApiKeyIssued',
  data: { id, name: 'A key', scopes: ['read'], hash: '0'.repeat(64), expiresAt: null },
});

describe('a process that follows the keys', () => {
  let eventStore: EventStore;
  let failure: StoreError | undefined;
  let register: ApiKeyRegister;
  let follower: RegisterFollower;
  let told: string[];
  let looks: number;
  let after: ChainEnd | undefined;
  beforeEach(async () => {
    eventStore = createInMemoryEventStore();
    failure = undefined;
    told = [];
    after = undefined;
    looks = 0;
    register = createApiKeyRegister({
      read: (stream, options) => {
        looks += 1;
        return failure === undefined ? eventStore.read(stream, options) : TE.left(failure);
      },
    });
    await register.look();
    follower = followRegister(
      register,
      ({ _tag }) => {
        told.push(_tag);
      },
      { lookMs: 10, behindMs: 500 },
    );
  });
  afterEach(async () => {
    await follower.close();
  });

  const append = async (event: ApiKeyEvent, as: { readonly type?: string } = {}) => {
    const context = { commandId: v4(), actor: 'somebody', requestId: 'r' };
    const made = newEvent(event, { stream: 'apiKeys', after, occurredAt: AT, index: 0 }, context);
    await eventStore.append('apiKeys', after?.revision ?? 'noStream', [{ ...made, ...as }])();
    after = { revision: after === undefined ? 0 : after.revision + 1, hash: made.metadata.hash };
  };
  const ids = () => [...register.known().keys.keys()];
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await delay(5);
  };
  const looksAgain = (): Promise<void> => {
    const before = looks;
    return until(() => looks > before + 1);
  };
  const stateOf = (): RegisterStatus['_tag'] => follower.status()._tag;

  it('knows what another one issued and revoked', async () => {
    await append(issued('aaaaaaaa'));
    await append(issued('bbbbbbbb'));
    await until(() => ids().length === 2);
    await append({ type: 'ApiKeyRevoked', data: { id: 'aaaaaaaa' } });
    await until(() => ids().length === 1);
    expect([ids(), stateOf(), told]).to.deep.equal([['bbbbbbbb'], 'Current', []]);
  });

  it('reads more than comes in one page', async () => {
    for (let n = 0; n < 1_100; n += 1) await append(issued(`key${String(n).padStart(5, '0')}`));
    await until(() => ids().length === 1_100);
  });

  it('keeps what it knows while the store does not answer, and goes on when it does', async () => {
    await append(issued('aaaaaaaa'));
    await until(() => ids().length === 1);
    failure = { _tag: 'StoreUnavailable', reason: 'away' };
    await append({ type: 'ApiKeyRevoked', data: { id: 'aaaaaaaa' } });
    await looksAgain();
    // Not at the first failure: a request may fail now and then.
    expect([ids(), stateOf()]).to.deep.equal([['aaaaaaaa'], 'Current']);
    await until(() => stateOf() === 'Behind');
    failure = undefined;
    await until(() => ids().length === 0);
    expect([stateOf(), told]).to.deep.equal(['Current', ['Behind', 'Current']]);
  });

  it('says at once that the stream is damaged', async () => {
    failure = { _tag: 'StoreDamaged', where: 'events.mdb', reason: 'a bit is wrong' };
    await until(() => stateOf() === 'Behind');
  });

  it('says which event it cannot read, refuses the key that it names, and reads on', async () => {
    await append(issued('aaaaaaaa'));
    await append(issued('bbbbbbbb'));
    await append({ type: 'ApiKeyRevoked', data: { id: 'aaaaaaaa' } }, { type: 'ApiKeySuspended' });
    await append(issued('cccccccc'));
    await until(() => ids().length === 2);
    await until(() => stateOf() === 'Unreadable');
    expect(ids()).to.deep.equal(['bbbbbbbb', 'cccccccc']);
    const status = follower.status();
    expect(status._tag === 'Unreadable' && status.error).to.include({ stream: 'apiKeys', revision: 2 });
    await looksAgain();
    expect(told).to.deep.equal(['Unreadable']);
  });
});
