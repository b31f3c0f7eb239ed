import { expect } from 'chai';
import { addressForClients, urlOption } from './service-address';

describe('the address of a service', () => {
  const { PORT } = process.env;
  afterEach(() => {
    if (PORT === undefined) delete process.env['PORT'];
    else process.env['PORT'] = PORT;
  });

  it('is by default that of this machine, with the port in PORT', () => {
    for (const [port, address] of [
      ['3401', 'http://127.0.0.1:3401'],
      ['', 'http://127.0.0.1:3000'],
    ] as const) {
      process.env['PORT'] = port;
      expect(urlOption().defaultValue).to.equal(address);
    }
    delete process.env['PORT'];
    expect(urlOption().defaultValue).to.equal('http://127.0.0.1:3000');
  });

  it('is one that clients can use where the service listens on all addresses', () => {
    expect(addressForClients('http://0.0.0.0:3401')).to.equal('http://127.0.0.1:3401');
    expect(addressForClients('http://[::]:3401')).to.equal('http://127.0.0.1:3401');
    expect(addressForClients('http://10.0.0.1:3401')).to.equal('http://10.0.0.1:3401');
  });
});
