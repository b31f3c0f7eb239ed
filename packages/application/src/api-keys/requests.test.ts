import { faultsOf } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { issueApiKeyCodec } from './requests';

const faultsIn = (body: unknown): Readonly<Record<string, string>> => {
  const read = issueApiKeyCodec.decode(body);
  return E.isRight(read)
    ? {}
    : Object.fromEntries(faultsOf(read.left).map(({ pointer, detail }) => [pointer, detail]));
};

describe('a request for a key', () => {
  it('is read with its name trimmed and its time in UTC', () => {
    const body = { name: ' Shop ', scopes: ['read', 'write'], expiresAt: '2027-01-01T01:00:00+01:00' };
    expect(issueApiKeyCodec.decode(body)).to.deep.equal(
      E.right({ name: 'Shop', scopes: ['read', 'write'], expiresAt: '2027-01-01T00:00:00.000Z' }),
    );
  });

  it('is told every fault at once', () => {
    const faults = faultsIn({ name: ' ', scopes: ['read', 'root', 'read', 7], expiresAt: 'soon', id: 'x' });
    expect(Object.keys(faults).sort()).to.deep.equal(['/expiresAt', '/id', '/name', '/scopes']);
    const others = faultsIn({ name: 'x'.repeat(201), scopes: ['read', 'root', 'read'] });
    expect(Object.keys(others).sort()).to.deep.equal(['/name', '/scopes/1', '/scopes/2']);
    expect(others['/scopes/1']).to.equal('must be one of: read, write, admin; not "root"');
    expect(others['/scopes/2']).to.equal('is the same as item 0');
  });

  it('has a scope', () => {
    expect(faultsIn({ name: 'A', scopes: [] })).to.deep.equal({ '/scopes': 'must name a scope' });
    expect(faultsIn({ name: 'A' })).to.deep.equal({ '/scopes': 'is required' });
    expect(faultsIn({ name: 'A', scopes: 'read' })).to.deep.equal({
      '/scopes': 'must be an array, not "read"',
    });
  });
});
