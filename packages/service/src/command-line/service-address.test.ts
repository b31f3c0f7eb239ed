import { expect } from 'chai';
import { addressForClients, urlOption } from './service-address';

describe('the address of a service', () => {
  it('is by default that of this machine, with the port in PORT', () => {
    const addressAt = (environment: Readonly<Record<string, string>>): unknown =>
      urlOption({ environment }).defaultValue;
    expect(addressAt({ PORT: '3401' })).to.equal('http://127.0.0.1:3401');
    expect(addressAt({ PORT: '' })).to.equal('http://127.0.0.1:3000');
    expect(addressAt({})).to.equal('http://127.0.0.1:3000');
  });

  it('is one that clients can use where the service listens on all addresses', () => {
    expect(addressForClients('http://0.0.0.0:3401')).to.equal('http://127.0.0.1:3401');
    expect(addressForClients('http://[::]:3401')).to.equal('http://127.0.0.1:3401');
    expect(addressForClients('http://10.0.0.1:3401')).to.equal('http://10.0.0.1:3401');
  });
});
