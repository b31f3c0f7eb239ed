import { expect } from 'chai';
import { readAllowedReceivers, refusalOf } from './receivers';

const judge = (url: string, addresses: readonly string[], list = ''): string | undefined => {
  const allowed = readAllowedReceivers(list);
  if (allowed === undefined) throw new Error('the list cannot be read');
  return refusalOf(allowed, new URL(url), addresses);
};

const PRIVATE = [
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '::1',
  '::',
  'fe80::1',
  'fc00::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
];

describe('receivers of webhooks', () => {
  it('are public, and spoken to by https', () => {
    expect(judge('https://shop.example/', ['93.184.215.14', '2606:2800:21f::1'])).to.equal(undefined);
    expect(judge('https://shop.example/', ['::ffff:93.184.215.14'])).to.equal(undefined);
    expect(judge('http://shop.example/', ['93.184.215.14'])).to.include('must be an https URL');
  });

  for (const address of PRIVATE) {
    it(`are not at ${address}`, () => {
      expect(judge('https://shop.example/', [address])).to.include('not public');
      expect(judge('https://shop.example/', ['93.184.215.14', address])).to.include('not public');
    });
  }

  it('may be anything that is allowed by name, address or network', () => {
    const list = 'Localhost, 10.0.0.0/8,::1, hooks.internal';
    for (const [url, ...addresses] of [
      ['http://localhost:4000/', '127.0.0.1', '::1'],
      ['http://hooks.internal/', '192.168.1.1'],
      ['http://10.1.2.3/', '10.1.2.3'],
      ['https://shop.example/', '10.1.2.3', '93.184.215.14'],
      ['http://[::1]/', '::1'],
      ['http://shop.example/', '::ffff:10.1.2.3'],
    ] as const) {
      expect(judge(url, addresses, list), url).to.equal(undefined);
    }
    expect(judge('http://127.0.0.1/', ['127.0.0.1'], list)).to.include('not public');
    expect(judge('http://shop.example/', ['10.1.2.3', '93.184.215.14'], list)).to.include('https');
  });

  it('are not allowed by what is no host, address or network', () => {
    for (const list of ['10.0.0.0/33', '10.0.0', '300.1.1.1', 'a b', 'http://a', '*', '*.example']) {
      expect(readAllowedReceivers(list), list).to.equal(undefined);
    }
  });
});
