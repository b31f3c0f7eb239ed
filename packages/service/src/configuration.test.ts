import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { readConfiguration } from './configuration';

const faultsOf = (environment: Readonly<Record<string, string>>): readonly string[] => {
  const read = readConfiguration(environment);
  return E.isLeft(read) ? read.left : [];
};

describe('the URLs of servers', () => {
  it('name hosts, with ports and a user or without', () => {
    for (const rest of [
      'host',
      'host:2113',
      'a.example:1,b.example:2,[::1]:3',
      'user:p%40ss@host:2113?tls=false',
      'user:p%40ss@a,b/name?option=x@y',
    ]) {
      expect(faultsOf({ EVENTSTOREDB_URL: `esdb://${rest}` }), rest).to.deep.equal([]);
      expect(faultsOf({ EVENTSTOREDB_URL: `esdb+discover://${rest}` }), rest).to.deep.equal([]);
      expect(faultsOf({ MONGODB_URL: `mongodb://${rest}` }), rest).to.deep.equal([]);
      expect(faultsOf({ MONGODB_URL: `mongodb+srv://${rest}` }), rest).to.deep.equal([]);
    }
  });

  it('are refused without a word of them where a password could be taken for a host or a port', () => {
    for (const rest of [
      '',
      'user:s3cret',
      'user:s3cret/name',
      'user:x@s3cret@host',
      'user:x@s3cret:y@host',
    ]) {
      expect(faultsOf({ EVENTSTOREDB_URL: `esdb://${rest}`, MONGODB_URL: `mongodb://${rest}` }), rest)
        .to.have.length(2)
        .and.satisfy((faults: readonly string[]) => !faults.join().includes('s3cret'));
    }
  });
});
