/** Kinds of keys that nobody is let in with. */
import { randomBytes } from 'node:crypto';
import { newApiKey, type Scope } from '@pricebook/application';
import * as fc from 'fast-check';

/** Keys that are good, or were. */
export interface GoodKeys {
  readonly bootstrap: string;
  readonly byScope: Readonly<Record<Scope, string>>;
  readonly expired: string;
  readonly revoked: string;
}

export interface BadKey {
  readonly kind: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly query?: string;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 8;
const LONG = 12 * 1024;

const other = (character: string): string => (character === 'x' ? 'y' : 'x');
const withOther = (text: string, at: number): string =>
  text.slice(0, at) + other(text.charAt(at)) + text.slice(at + 1);

/** The id of one key with a secret that was never issued; well-formed, its checksum included. */
const withOtherSecret = (key: string): string => {
  const bytes = Uint8Array.from({ length: ID_LENGTH }, (_, n) =>
    ALPHABET.indexOf(key.charAt('pbk_'.length + n)),
  );
  return newApiKey((count) => (count === ID_LENGTH ? bytes : randomBytes(count))).secret;
};

/** A good key with a few characters changed, taken away, put in or exchanged. */
const mutationsOf = (key: string, count: number, seed: number): readonly string[] => {
  const place = fc.nat(key.length - 1);
  const character = fc.constantFrom(...`${ALPHABET}_-./+`.split(''));
  const change = fc.oneof(
    fc.record({ kind: fc.constant('change' as const), place, character }),
    fc.record({ kind: fc.constant('remove' as const), place, character }),
    fc.record({ kind: fc.constant('insert' as const), place, character }),
    fc.record({ kind: fc.constant('exchange' as const), place, character }),
  );
  const changed = fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) =>
    changes.reduce((text, { kind, place: at, character: one }) => {
      switch (kind) {
        case 'change':
          return text.slice(0, at) + one + text.slice(at + 1);
        case 'remove':
          return text.slice(0, at) + text.slice(at + 1);
        case 'insert':
          return text.slice(0, at) + one + text.slice(at);
        case 'exchange':
          return text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2);
      }
    }, key),
  );
  return fc.sample(
    changed.filter((text) => text !== key),
    { numRuns: count, seed },
  );
};

/** @param mutations how many random changes of each of two good keys. */
export const badKeys = (
  { bootstrap, byScope, expired, revoked }: GoodKeys,
  { mutations, seed }: { readonly mutations: number; readonly seed: number },
): readonly BadKey[] => {
  const good = byScope.admin;
  const sent = (kind: string, key: string | readonly string[]): BadKey => ({
    kind,
    headers: { 'x-api-key': key },
  });
  return [
    { kind: 'missing', headers: {} },
    { kind: 'in another header', headers: { authorization: `Bearer ${good}`, 'api-key': good } },
    { kind: 'in the query', headers: {}, query: `?x-api-key=${good}&api_key=${good}` },
    { kind: 'in a cookie', headers: { cookie: `x-api-key=${good}` } },
    sent('empty', ''),
    sent('blank', ' '),
    sent('a word', 'admin'),
    sent('malformed', 'pbk_short'),
    sent('an id alone', good.slice(0, 'pbk_'.length + ID_LENGTH)),
    sent('without its checksum', good.slice(0, -6)),
    sent('of a wrong checksum', withOther(good, good.length - 1)),
    sent('of a wrong secret, its checksum as it was', withOther(good, 20)),
    sent('unknown', newApiKey(randomBytes).secret),
    sent('expired', expired),
    sent('revoked', revoked),
    sent('of a known id with another secret', withOtherSecret(good)),
    sent('of an expired id with another secret', withOtherSecret(expired)),
    sent('twice', [good, good]),
    sent('twice, once wrong', [good, 'wrong']),
    sent('two good ones', [good, bootstrap]),
    sent('in quotes', `"${good}"`),
    sent('with a scheme', `ApiKey ${good}`),
    sent('in small letters', good.toLowerCase()),
    sent('followed by something', `${good};`),
    sent('very long', good.repeat(Math.ceil(LONG / good.length)).slice(0, LONG)),
    sent('very long and of nothing', 'a'.repeat(LONG)),
    sent('not of ASCII', `${good.slice(0, -1)}é`),
    sent('the bootstrap key with a character changed', withOther(bootstrap, 5)),
    sent('the bootstrap key without its end', bootstrap.slice(0, -1)),
    sent('the bootstrap key and more', `${bootstrap}x`),
    sent('the bootstrap key in capitals', bootstrap.toUpperCase()),
    sent('the bootstrap key twice', [bootstrap, bootstrap]),
    ...mutationsOf(good, mutations, seed).map((key) => sent('changed at random', key)),
    ...mutationsOf(bootstrap, mutations, seed).map((key) => sent('a bootstrap key changed at random', key)),
  ];
};
