/** Keys over HTTP: issued, used, listed, expired and revoked. */
import { expect } from 'chai';
import type { Answer, TestService } from '../testing/test-service';
import { bodyOf, createBook, expectProblem, expectStatus } from './kit';

export const describeApiKeys = (api: () => Pick<TestService, 'url' | 'request' | 'setAhead'>): void => {
  const create = (json: unknown): Promise<Answer> => api().request('POST', '/v1/api-keys', { json });
  const issue = async (fields: Readonly<Record<string, unknown>> = {}) => {
    const answer = await create({ name: 'A key', scopes: ['read'], ...fields });
    return bodyOf(expectStatus(answer, 201)) as { readonly id: string; readonly key: string };
  };
  const revoke = (id: string): Promise<Answer> => api().request('DELETE', `/v1/api-keys/${id}`);
  const list = async () => {
    const answer = expectStatus(await api().request('GET', '/v1/api-keys'), 200);
    return answer.body as readonly Readonly<Record<string, unknown>>[];
  };
  const listed = async (id: string) => (await list()).find((key) => key['id'] === id);
  const statusWith = async (key: string, method = 'GET', path = '/v1/pricebooks'): Promise<number> =>
    (await api().request(method, path, { headers: { 'x-api-key': key } })).status;

  describe('keys that are issued', () => {
    it('are shown once, with where they are', async () => {
      const answer = expectStatus(await create({ name: ' Shop ', scopes: ['write', 'read'] }), 201);
      const { id, key, createdAt, ...rest } = bodyOf(answer);
      expect(rest).to.deep.equal({ name: 'Shop', scopes: ['write', 'read'] });
      expect(key).to.match(/^pbk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
      expect(String(key).slice(4, 12)).to.equal(id);
      expect(Math.abs(Date.parse(String(createdAt)) - Date.now())).to.be.below(60_000);
      expect(answer.headers.get('location')).to.equal(`api-keys/${String(id)}`);
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      const found = await listed(String(id));
      expect(found).to.deep.equal({ id, createdAt, ...rest });
    });

    it('are let in at once, as far as their scopes go', async () => {
      const book = await createBook(api);
      for (const [scope, ...statuses] of [
        ['read', 200, 403, 403],
        ['write', 200, 204, 403],
        ['admin', 200, 204, 200],
      ] as const) {
        const { key } = await issue({ scopes: [scope] });
        expect(
          [
            await statusWith(key, 'GET', `/v1/pricebooks`),
            await statusWith(
              key,
              'DELETE',
              `/v1/pricebooks/${scope === 'read' ? book : await createBook(api)}`,
            ),
            await statusWith(key, 'GET', '/v1/api-keys'),
          ],
          scope,
        ).to.deep.equal(statuses);
      }
    });

    it('show when they were last used, to the minute', async () => {
      const { id, key } = await issue();
      expect(await listed(id)).not.to.have.property('lastUsedAt');
      const before = Date.now();
      expect(await statusWith(key)).to.equal(200);
      const { lastUsedAt } = (await listed(id)) ?? {};
      expect(lastUsedAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
      expect(before - Date.parse(String(lastUsedAt))).to.be.within(-5_000, 61_000);
    });

    it('are refused once they have expired, and are listed all the same', async () => {
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      const { id, key } = await issue({ expiresAt });
      expect(await listed(id)).to.deep.include({ expiresAt });
      expect(await statusWith(key)).to.equal(200);
      api().setAhead(3_600_000);
      try {
        expect(await statusWith(key)).to.equal(401);
        expect(await listed(id)).to.deep.include({ expiresAt });
      } finally {
        api().setAhead(0);
      }
      expectStatus(await revoke(id), 204);
    });

    it('are refused at once when they are revoked, which can be done once', async () => {
      const first = await issue();
      const second = await issue();
      expect([await statusWith(first.key), await statusWith(second.key)]).to.deep.equal([200, 200]);
      const answer = expectStatus(await revoke(first.id), 204);
      expect(answer.body).to.equal('');
      expect([await statusWith(first.key), await statusWith(second.key)]).to.deep.equal([401, 200]);
      expect(await listed(first.id)).to.equal(undefined);
      expectProblem(await revoke(first.id), { status: 404, type: 'api-key-not-found' });
      for (const id of ['unknown1', 'bootstrap', '%20', first.key]) {
        expectProblem(await revoke(id), { status: 404, type: 'api-key-not-found' });
      }
    });

    it('see themselves, whatever their scope', async () => {
      const { id, key } = await issue({ name: 'Shop' });
      const own = (secret?: string) =>
        api().request(
          'GET',
          '/v1/api-keys/me',
          secret === undefined ? {} : { headers: { 'x-api-key': secret } },
        );
      const answer = bodyOf(expectStatus(await own(key), 200));
      expect(answer).to.deep.equal(await listed(id));
      expect(answer).to.include({ id, name: 'Shop' }).and.to.have.property('lastUsedAt');
      expect(bodyOf(expectStatus(await own(), 200))).to.include({ id: 'bootstrap' });
    });

    it('are renamed, and stay what they are', async () => {
      const { id, key } = await issue({ name: 'Shop' });
      const rename = (keyId: string, json: unknown) =>
        api().request('PATCH', `/v1/api-keys/${keyId}`, { json });
      const before = await listed(id);
      const answer = expectStatus(await rename(id, { name: ' Shop, 2027 ' }), 200);
      expect(answer.body).to.deep.equal({ ...before, name: 'Shop, 2027' });
      expect(await listed(id)).to.deep.equal(answer.body);
      expect(await statusWith(key)).to.equal(200);
      expectProblem(await rename('unknown1', { name: 'A' }), { status: 404, type: 'api-key-not-found' });
      expectProblem(await rename(id, { name: ' ', scopes: ['admin'], id: 'other123' }), {
        status: 400,
        type: 'invalid-request',
        pointers: ['/name', '/scopes', '/id'],
      });
    });

    it('may revoke themselves', async () => {
      const { id, key } = await issue({ scopes: ['admin'] });
      expect(await statusWith(key, 'DELETE', `/v1/api-keys/${id}`)).to.equal(204);
      expect(await statusWith(key)).to.equal(401);
    });

    it('act under their ids', async () => {
      const { id, key } = await issue({ scopes: ['write'] });
      const made = await api().request('POST', '/v1/pricebooks', {
        json: { name: 'A' },
        headers: { 'x-api-key': key },
      });
      const book = String(bodyOf(expectStatus(made, 201))['id']);
      const events = await api().request('GET', `/v1/pricebooks/${book}/events`);
      expect((events.body as readonly object[])[0]).to.include({ actor: id });
    });

    it('are all there when many are issued and revoked at the same time', async () => {
      const keys = await Promise.all(Array.from({ length: 8 }, () => issue()));
      const statuses = await Promise.all(keys.slice(0, 4).map(({ id }) => revoke(id)));
      // Who loses too often against others is told to try again.
      for (const { status } of statuses) expect(status).to.equal(204);
      const ids = (await list()).map(({ id }) => id);
      expect(keys.filter(({ id }) => ids.includes(id)).map(({ id }) => id)).to.have.members(
        keys.slice(4).map(({ id }) => id),
      );
    });
  });

  describe('requests for keys', () => {
    it('are told every fault of the body at once', async () => {
      expectProblem(
        await create({ name: '', scopes: ['root', 'read', 'read'], expiresAt: 'soon', key: 'k' }),
        {
          status: 400,
          pointers: ['/name', '/scopes/0', '/scopes/2', '/expiresAt', '/key'],
        },
      );
      expectProblem(await create({ scopes: [] }), { status: 400, pointers: ['/name', '/scopes'] });
      expectProblem(await create([]), { status: 400, pointers: [''] });
      expectProblem(await create({ name: 'A', scopes: ['read'], expiresAt: '2020-01-01T00:00:00Z' }), {
        status: 400,
        pointers: ['/expiresAt'],
        says: 'must be in the future',
      });
    });

    it('know no query parameters, and only their methods', async () => {
      expectProblem(await api().request('GET', '/v1/api-keys?limit=1'), { status: 400 });
      expectProblem(await api().request('GET', '/v1/api-keys/some-key'), { status: 405 });
      expectProblem(await api().request('PUT', '/v1/api-keys'), { status: 405 });
    });
  });
};
