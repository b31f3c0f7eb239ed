import { expect } from 'chai';
import { clientAddressOf } from './client-address';

const from = (remoteAddress: string, forwarded?: string, trustedProxies = 0): string =>
  clientAddressOf(
    {
      socket: { remoteAddress },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    },
    trustedProxies,
  );

describe('the address of a client', () => {
  it('is an IPv4 address, however it is written', () => {
    expect(from('192.0.2.7')).to.equal('192.0.2.7');
    expect(from('::ffff:192.0.2.7')).to.equal('192.0.2.7');
  });

  it('is the /64 of an IPv6 address', () => {
    for (const address of ['2001:db8::1', '2001:DB8:0:0:ffff::1', '2001:db8:0:0:1:2:3:4', '2001:db8::']) {
      expect(from(address), address).to.equal('2001:db8:0:0::/64');
    }
    expect(from('2001:db8:0:1::1')).to.equal('2001:db8:0:1::/64');
    expect(from('fe80::1%eth0')).to.equal('fe80:0:0:0::/64');
    expect(from('::1')).to.equal('0:0:0:0::/64');
  });

  it('is what the nearest trusted proxies say, and nobody else', () => {
    expect(from('10.0.0.1', '192.0.2.7')).to.equal('10.0.0.1');
    expect(from('10.0.0.1', '6.6.6.6, 192.0.2.7', 1)).to.equal('192.0.2.7');
    expect(from('10.0.0.1', '6.6.6.6, 192.0.2.7, 10.0.0.2', 2)).to.equal('192.0.2.7');
    expect(from('10.0.0.1', '192.0.2.7', 3)).to.equal('192.0.2.7');
    expect(from('10.0.0.1', undefined, 1)).to.equal('10.0.0.1');
    // Some proxies add the port of the client.
    expect(from('10.0.0.1', '192.0.2.7:50123', 1)).to.equal('192.0.2.7');
    for (const told of ['[2001:db8::1]:50123', '[2001:db8::1]', '2001:db8::1'])
      expect(from('10.0.0.1', told, 1), told).to.equal('2001:db8:0:0::/64');
    for (const nonsense of [
      '',
      '[x]:1',
      '192.0.2.7:',
      '[192.0.2.7',
      'x',
      '1.2.3',
      'x'.repeat(10_000),
      '192.0.2.7,',
    ])
      expect(from('10.0.0.1', nonsense, 1)).to.equal('10.0.0.1');
  });
});
