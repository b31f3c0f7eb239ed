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

describe('the allowed origins', () => {
  const read = (origins: string) => {
    const configuration = readConfiguration({ PRICEBOOK_ALLOWED_ORIGINS: origins });
    return E.isLeft(configuration) ? configuration.left : configuration.right.allowedOrigins;
  };

  it('are none unless they are named, each exactly as browsers send it', () => {
    expect(read('')).to.deep.equal([]);
    expect(read('https://shop.example')).to.deep.equal(['https://shop.example']);
    expect(read('https://shop.example, http://localhost:5173')).to.deep.equal([
      'https://shop.example',
      'http://localhost:5173',
    ]);
  });

  it('are refused with every fault named', () => {
    const faults = [
      '*',
      'null',
      'shop.example',
      'https://shop.example/',
      'HTTPS://Shop.example:443',
      'file:///x',
      '',
    ];
    expect(read(faults.join())).to.deep.equal([
      'PRICEBOOK_ALLOWED_ORIGINS must name each origin: * is not allowed',
      'PRICEBOOK_ALLOWED_ORIGINS must hold origins such as https://shop.example, not "null"',
      'PRICEBOOK_ALLOWED_ORIGINS must hold origins such as https://shop.example, not "shop.example"',
      'PRICEBOOK_ALLOWED_ORIGINS must hold origins alone: https://shop.example, not "https://shop.example/"',
      'PRICEBOOK_ALLOWED_ORIGINS must hold origins alone: https://shop.example, not "HTTPS://Shop.example:443"',
      'PRICEBOOK_ALLOWED_ORIGINS must hold origins such as https://shop.example, not "file:///x"',
      'PRICEBOOK_ALLOWED_ORIGINS must hold origins such as https://shop.example, not ""',
    ]);
  });
});

describe('what caches may do with prices', () => {
  const read = (text: string) => {
    const configuration = readConfiguration({ PRICEBOOK_PRICE_CACHE_CONTROL: text });
    return E.isLeft(configuration) ? configuration.left.length : configuration.right.priceCaching;
  };

  it('is nothing unless the operator says so, as Cache-Control does', () => {
    expect(read('')).to.equal('no-store');
    expect(read('no-cache')).to.equal('no-cache');
    expect(read('private, max-age=60')).to.deep.equal({ share: 'private', maxAge: 60 });
    expect(read('public,max-age=86400')).to.deep.equal({ share: 'public', maxAge: 86_400 });
    for (const fault of [
      '60',
      'max-age=60',
      'public',
      'public, max-age=0',
      'private, max-age=86401',
      'immutable',
    ]) {
      expect(read(fault), fault).to.equal(1);
    }
  });
});
