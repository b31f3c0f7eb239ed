import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { type NewApiKey, newApiKey, readApiKey, hashOf } from './api-key';
import type { Scope } from './events';
import { createKeyring } from './keyring';
import type { ApiKey } from './state';

const NOW = '2026-01-01T00:00:00.000Z';

const keyOf = (
  { id, secret }: NewApiKey,
  scopes: readonly Scope[] = ['admin'],
  expiresAt?: string,
): ApiKey => ({
  id,
  name: 'A key',
  scopes,
  hash: hashOf(secret),
  createdAt: NOW,
  expiresAt,
});

interface Given {
  readonly bootstrapKey?: string;
  readonly now?: string;
}

const keyringOf = (keys: readonly ApiKey[], { bootstrapKey, now = NOW }: Given = {}) =>
  createKeyring({
    keys: () => new Map(keys.map((key) => [key.id, key])),
    bootstrapKey,
    clock: { now: () => now },
  });

describe('API keys', () => {
  it('have the format of the design', () => {
    const { id, secret } = newApiKey(randomBytes);
    expect(secret).to.match(/^pbk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    expect(secret.slice(4, 12)).to.equal(id);
    expect(readApiKey(secret)).to.deep.equal({ _tag: 'Key', id });
  });

  it('do not follow from each other', () => {
    const made = Array.from({ length: 100 }, () => newApiKey(randomBytes));
    expect(new Set(made.map(({ id }) => id)).size).to.equal(100);
    expect(new Set(made.map(({ secret }) => secret)).size).to.equal(100);
  });

  it('tell any single typing error by their checksum', () => {
    const { id, secret } = newApiKey(randomBytes);
    fc.assert(
      fc.property(
        fc.nat(secret.length - 1),
        fc.constantFrom('0', 'a', 'Z', '_', '-', 'ü', ' '),
        (at, character) => {
          const typed = secret.slice(0, at) + character + secret.slice(at + 1);
          expect(readApiKey(typed)).to.deep.equal(
            typed === secret ? { _tag: 'Key', id } : { _tag: at < 4 ? 'Other' : 'Mistyped' },
          );
        },
      ),
    );
  });
});

describe('the keyring', () => {
  const key = newApiKey(randomBytes);

  it('knows an issued key, and nothing else', () => {
    const keyring = keyringOf([keyOf(key, ['read'])]);
    expect(keyring.authenticate(key.secret)).to.deep.equal({ keyId: key.id, scopes: ['read'] });
    const stranger = newApiKey(randomBytes).secret;
    for (const wrong of ['', ' ', key.id, `${key.secret} `, key.secret.toLowerCase(), stranger]) {
      expect(keyring.authenticate(wrong), wrong).to.equal(undefined);
    }
  });

  it('knows two keys at once, for as long as one takes the place of the other', () => {
    const next = newApiKey(randomBytes);
    const keyring = keyringOf([keyOf(key), keyOf(next)]);
    expect(keyring.authenticate(key.secret)?.keyId).to.equal(key.id);
    expect(keyring.authenticate(next.secret)?.keyId).to.equal(next.id);
  });

  it('looks nothing up for what its checksum gives away', () => {
    let lookUps = 0;
    const keyring = createKeyring({
      keys: () => {
        lookUps += 1;
        return new Map([[key.id, keyOf(key)]]);
      },
      bootstrapKey: undefined,
      clock: { now: () => NOW },
    });
    expect(
      keyring.authenticate(`${key.secret.slice(0, -1)}${key.secret.endsWith('0') ? '1' : '0'}`),
    ).to.equal(undefined);
    expect(lookUps).to.equal(0);
    expect(keyring.authenticate(key.secret)?.keyId).to.equal(key.id);
    expect(lookUps).to.equal(1);
  });

  it('does not take a key that has the id of a known one', () => {
    const forged = newApiKey((count) => Buffer.alloc(count, 7));
    const keyring = keyringOf([{ ...keyOf(key), id: forged.id }]);
    expect(keyring.authenticate(forged.secret)).to.equal(undefined);
    expect(keyring.authenticate(key.secret)).to.equal(undefined);
  });

  it('takes a key until the very time at which it expires', () => {
    const keys = [keyOf(key, ['read'], '2026-01-01T00:00:01.000Z')];
    expect(keyringOf(keys, { now: '2026-01-01T00:00:00.999Z' }).authenticate(key.secret)).not.to.equal(
      undefined,
    );
    for (const now of ['2026-01-01T00:00:01.000Z', '2027-01-01T00:00:00.000Z']) {
      expect(keyringOf(keys, { now }).authenticate(key.secret)).to.equal(undefined);
    }
  });

  it('tells of the use of an issued key, not of one that it refuses', () => {
    const used: string[] = [];
    const expired = newApiKey(randomBytes);
    const keys = [keyOf(key), keyOf(expired, ['read'], NOW)];
    const keyring = createKeyring({
      keys: () => new Map(keys.map((one) => [one.id, one])),
      bootstrapKey: 'a-bootstrap-key-of-ours',
      clock: { now: () => NOW },
      onUse: (keyId) => used.push(keyId),
    });
    for (const secret of [
      expired.secret,
      'a-bootstrap-key-of-ours',
      newApiKey(randomBytes).secret,
      key.secret,
    ]) {
      keyring.authenticate(secret);
    }
    expect(used).to.deep.equal([key.id]);
  });

  it('knows the bootstrap key while one is set', () => {
    const bootstrapKey = 'a-bootstrap-key-of-ours';
    const keyring = keyringOf([keyOf(key)], { bootstrapKey });
    expect(keyring.authenticate(bootstrapKey)).to.deep.equal({ keyId: 'bootstrap', scopes: ['admin'] });
    expect(keyring.authenticate(key.secret)?.keyId).to.equal(key.id);
    expect(keyring.authenticate(`${bootstrapKey}x`)).to.equal(undefined);
    expect(keyringOf([keyOf(key)]).authenticate(bootstrapKey)).to.equal(undefined);
  });

  it('takes a bootstrap key that looks like an issued one, or like one with a typing error', () => {
    for (const bootstrapKey of [key.secret, `${key.secret.slice(0, -6)}000000`, 'pbk_but-nothing-else']) {
      const keyring = keyringOf([], { bootstrapKey });
      expect(keyring.authenticate(bootstrapKey)?.keyId).to.equal('bootstrap');
      expect(keyring.authenticate(newApiKey(randomBytes).secret)).to.equal(undefined);
    }
  });
});
