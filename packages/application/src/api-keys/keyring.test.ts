import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import fc from 'fast-check';
import { v4 } from 'uuid';
import { createInMemoryEventStore } from '../in-memory/event-store';
import type { Ids } from '../ports/ids';
import { apiKeyIdOf, newApiKey } from './api-key';
import { createKeyring, issueFirstKey, readIssuedKeys } from './keyring';

const clock = { now: () => '2026-01-01T00:00:00.000Z' };
const ids: Ids = {
  newPriceBookId: () => {
    throw new Error('no book is made here');
  },
  newCommandId: () => v4(),
  randomBytes,
};

const issue = async () => {
  const eventStore = createInMemoryEventStore();
  const issued = await issueFirstKey(eventStore, clock, ids)();
  if (E.isLeft(issued) || issued.right === undefined) throw new Error('no key was issued');
  const keys = await readIssuedKeys(eventStore)();
  if (E.isLeft(keys)) throw new Error('the keys cannot be read');
  return { eventStore, key: issued.right, keys: keys.right };
};

describe('API keys', () => {
  it('have the format of the design', () => {
    const { id, secret } = newApiKey(randomBytes);
    expect(secret).to.match(/^pbk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    expect(secret.slice(4, 12)).to.equal(id);
    expect(apiKeyIdOf(secret)).to.equal(id);
  });

  it('do not follow from each other', () => {
    const made = Array.from({ length: 100 }, () => newApiKey(randomBytes));
    expect(new Set(made.map(({ id }) => id)).size).to.equal(100);
    expect(new Set(made.map(({ secret }) => secret)).size).to.equal(100);
  });

  it('tell any single typing error by their checksum', () => {
    const { secret } = newApiKey(randomBytes);
    fc.assert(
      fc.property(
        fc.nat(secret.length - 1),
        fc.constantFrom('0', 'a', 'Z', '_', '-', 'ü', ' '),
        (at, character) => {
          const typed = secret.slice(0, at) + character + secret.slice(at + 1);
          expect(apiKeyIdOf(typed)).to.equal(typed === secret ? secret.slice(4, 12) : undefined);
        },
      ),
    );
  });

  it('are kept as a hash only', async () => {
    const { eventStore, key } = await issue();
    const stored = await eventStore.read('apiKeys', { direction: 'forwards', limit: 10 })();
    const text = JSON.stringify(stored, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(text).not.to.include(key.secret);
    expect(text).not.to.include(key.secret.slice(13, 45));
    expect(text).to.include(createHash('sha256').update(key.secret).digest('hex'));
  });

  it('are issued once, by whoever is first', async () => {
    const { eventStore } = await issue();
    expect(await issueFirstKey(eventStore, clock, ids)()).to.deep.equal(E.right(undefined));
  });
});

describe('the keyring', () => {
  it('knows an issued key, and nothing else', async () => {
    const { key, keys } = await issue();
    const keyring = createKeyring(keys, undefined);
    expect(keyring.authenticate(key.secret)).to.deep.equal({ keyId: key.id, scopes: ['admin'] });
    const stranger = newApiKey(randomBytes).secret;
    for (const wrong of ['', ' ', key.id, `${key.secret} `, key.secret.toLowerCase(), stranger]) {
      expect(keyring.authenticate(wrong), wrong).to.equal(undefined);
    }
  });

  it('does not take a key that has the id of a known one', async () => {
    const { key, keys } = await issue();
    const forged = newApiKey((count) => Buffer.alloc(count, 7)).secret;
    const keyring = createKeyring(
      keys.map((one) => ({ ...one, data: { ...one.data, id: forged.slice(4, 12) } })),
      undefined,
    );
    expect(keyring.authenticate(forged)).to.equal(undefined);
    expect(keyring.authenticate(key.secret)).to.equal(undefined);
  });

  it('knows the bootstrap key while one is set', async () => {
    const { key, keys } = await issue();
    const bootstrap = 'a-bootstrap-key-of-ours';
    const keyring = createKeyring(keys, bootstrap);
    expect(keyring.authenticate(bootstrap)).to.deep.equal({ keyId: 'bootstrap', scopes: ['admin'] });
    expect(keyring.authenticate(key.secret)?.keyId).to.equal(key.id);
    expect(keyring.authenticate(`${bootstrap}x`)).to.equal(undefined);
    expect(createKeyring(keys, undefined).authenticate(bootstrap)).to.equal(undefined);
  });

  it('takes a bootstrap key that looks like an issued one', () => {
    const bootstrap = newApiKey(randomBytes).secret;
    expect(createKeyring([], bootstrap).authenticate(bootstrap)?.keyId).to.equal('bootstrap');
  });
});
