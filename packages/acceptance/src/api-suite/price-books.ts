import { expect } from 'chai';
import {
  type Api,
  bodyOf,
  createBook,
  expectProblem,
  expectStatus,
  override,
  setPrices,
  UNKNOWN_BOOK,
  usd,
} from './kit';

const BOOKS = '/v1/pricebooks';

export const describePriceBooks = (api: Api): void => {
  const post = (json: unknown) => api().request('POST', BOOKS, { json });
  const get = (id: string, headers = {}) => api().request('GET', `${BOOKS}/${id}`, { headers });
  const patch = (id: string, json: unknown, headers = {}) =>
    api().request('PATCH', `${BOOKS}/${id}`, { json, headers });
  const remove = (id: string, headers = {}) => api().request('DELETE', `${BOOKS}/${id}`, { headers });

  describe('Create Price Book', () => {
    it('answers 201 with the book, where it is, and its revision', async () => {
      const answer = expectStatus(await post({ name: '  Retail ü  ', description: 'for shops' }), 201);
      const { id, createdAt, updatedAt, ...others } = bodyOf(answer);
      expect(others).to.deep.equal({
        name: 'Retail ü',
        description: 'for shops',
        metadata: {},
        revision: 0,
      });
      expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(updatedAt).to.equal(createdAt);
      expect(answer.headers.get('etag')).to.equal('"0"');
      const location = answer.headers.get('location') ?? '';
      expect(location, 'a relative reference').not.to.match(/^(\/|[a-z]+:)/);
      const found = new URL(location, `${api().url}/v1/pricebooks`);
      expect(bodyOf(await api().request('GET', found.pathname))).to.deep.equal(answer.body);
    });

    it('takes an empty description where none is given', async () => {
      expect(bodyOf(await post({ name: 'A' }))['description']).to.equal('');
    });

    it('counts code points, after trimming', async () => {
      expectStatus(await post({ name: ` ${'🎈'.repeat(200)} `, description: '🎈'.repeat(2_000) }), 201);
      expectProblem(await post({ name: '🎈'.repeat(201), description: '🎈'.repeat(2_001) }), {
        status: 400,
        pointers: ['/name', '/description'],
      });
    });

    it('finds every fault at once', async () => {
      const fields = {
        id: 'x',
        createdAt: 1,
        updatedAt: 2,
        colour: 'red',
        name: ' ',
        description: null,
        basePriceBookId: 'b',
      };
      expectProblem(await post(fields), {
        status: 400,
        pointers: ['/id', '/createdAt', '/updatedAt', '/colour', '/name', '/description', '/basePriceBookId'],
      });
      expectProblem(await post({}), { status: 400, pointers: ['/name'], says: 'is required' });
      expectProblem(await post(['A']), { status: 400, pointers: [''] });
      expectProblem(await post({ id: 1, name: 'A' }), { status: 400, says: 'assigned by the service' });
    });

    it('takes a base, up to a chain of five books', async () => {
      let base = await createBook(api);
      for (let depth = 2; depth <= 5; depth += 1) {
        const answer = expectStatus(await post({ name: 'A', basePriceBookId: base }), 201);
        expect(bodyOf(answer)['basePriceBookId']).to.equal(base);
        base = String(bodyOf(answer)['id']);
      }
      expectProblem(await post({ name: 'A', basePriceBookId: base }), {
        status: 400,
        pointers: ['/basePriceBookId'],
      });
    });

    it('refuses a base that is not there, or not any more', async () => {
      expectProblem(await post({ name: 'A', basePriceBookId: UNKNOWN_BOOK }), {
        status: 400,
        pointers: ['/basePriceBookId'],
      });
      const base = await createBook(api);
      expectStatus(await remove(base), 204);
      expectProblem(await post({ name: 'A', basePriceBookId: base }), {
        status: 400,
        pointers: ['/basePriceBookId'],
      });
    });
  });

  describe('List Price Books', () => {
    it('answers all books, oldest first, as they are now', async () => {
      const ids = [await createBook(api), await createBook(api), await createBook(api)];
      await patch(ids[0] ?? '', { name: 'renamed' });
      await remove(ids[1] ?? '');
      const answer = expectStatus(await api().request('GET', BOOKS), 200);
      const ours = (answer.body as { id: string; name: string }[]).filter(({ id }) => ids.includes(id));
      expect(ours.map(({ id, name }) => [id, name])).to.deep.equal([
        [ids[0], 'renamed'],
        [ids[2], 'A book'],
      ]);
    });

    it('refuses query parameters that it does not know', async () => {
      expectProblem(await api().request('GET', `${BOOKS}?colour=red`), { status: 400, says: 'colour' });
    });
  });

  describe('Get Price Book', () => {
    it('answers the book with its revision, or 304 to who has that', async () => {
      const id = await createBook(api);
      const answer = expectStatus(await get(id), 200);
      expect(answer.headers.get('etag')).to.equal('"0"');
      const unchanged = expectStatus(await get(id, { 'if-none-match': '"0"' }), 304);
      expect(unchanged.body).to.equal('');
      await setPrices(api, id, [usd('P', override(1))]);
      const changed = expectStatus(await get(id, { 'if-none-match': '"0"' }), 200);
      expect(changed.headers.get('etag')).to.equal('"1"');
      expect((bodyOf(changed)['updatedAt'] as string) >= (bodyOf(answer)['updatedAt'] as string)).to.equal(
        true,
      );
    });

    it('answers 404 to an id of no book, malformed ones included', async () => {
      const type = 'price-book-not-found';
      expectProblem(await get(UNKNOWN_BOOK), { status: 404, type, says: 'has this id.' });
      for (const id of ['x', '123', '00000000-0000-4000-8000-000000000000']) {
        expectProblem(await get(id), {
          status: 404,
          type,
          says: 'an id is a UUID of version 7, and a key',
        });
      }
    });

    it('takes the id in any letter case', async () => {
      const id = await createBook(api);
      expect(bodyOf(await get(id.toUpperCase()))['id']).to.equal(id);
    });
  });

  describe('Update Price Book', () => {
    it('changes what is given and leaves the rest', async () => {
      const id = await createBook(api, { name: 'old', description: 'about' });
      const renamed = expectStatus(await patch(id, { name: ' new ' }), 200);
      expect(bodyOf(renamed)).to.include({ id, name: 'new', description: 'about' });
      expect(renamed.headers.get('etag')).to.equal('"1"');
      expect(bodyOf(await patch(id, { description: '' }))).to.include({ name: 'new', description: '' });
      expect((await get(id)).headers.get('etag')).to.equal('"2"');
    });

    it('changes nothing where nothing is given', async () => {
      const id = await createBook(api);
      const before = await get(id);
      const answer = expectStatus(await patch(id, {}), 200);
      expect(answer.body).to.deep.equal(before.body);
      expect(answer.headers.get('etag')).to.equal('"0"');
    });

    it('refuses fields that the service assigns, saying so', async () => {
      const id = await createBook(api);
      const base = await createBook(api);
      expectProblem(await patch(id, { id, createdAt: 'x', name: 'B' }), {
        status: 400,
        pointers: ['/id', '/createdAt'],
        says: 'assigned by the service',
      });
      expectProblem(await patch(id, { basePriceBookId: base }), { status: 400, says: 'never changes' });
      expect(bodyOf(await get(id))['name']).to.equal('A book');
    });

    it('answers 400 to a bad body before 404 to an unknown book', async () => {
      expectProblem(await patch(UNKNOWN_BOOK, { name: 7 }), { status: 400, pointers: ['/name'] });
      expectProblem(await patch(UNKNOWN_BOOK, { name: 'A' }), { status: 404 });
      expectProblem(await patch('x', {}), { status: 404 });
    });
  });

  describe('Delete Price Book', () => {
    it('answers 204, and 404 from then on', async () => {
      const id = await createBook(api);
      await setPrices(api, id, [usd('P', override(1))]);
      expect(expectStatus(await remove(id), 204).body).to.equal('');
      expectProblem(await remove(id), { status: 404 });
      expectProblem(await get(id), { status: 404 });
      expectProblem(await patch(id, { name: 'B' }), { status: 404 });
      expectProblem(await api().request('GET', `${BOOKS}/${id}/P/USD`), {
        status: 404,
        type: 'price-book-not-found',
      });
      expectProblem(await api().request('PUT', `${BOOKS}/${id}/prices`, { json: [] }), { status: 404 });
      expectProblem(await api().request('DELETE', `${BOOKS}/${id}/prices`, { json: [] }), { status: 404 });
    });

    it('is not deleted by a request with a body, which means its prices', async () => {
      const id = await createBook(api);
      for (const key of ['one', 'one', 'two']) {
        const headers = { 'idempotency-key': `${key} of ${id}` };
        const answer = await api().request('DELETE', `${BOOKS}/${id}`, { json: ['lamp'], headers });
        expectProblem(answer, { status: 400, says: 'Delete Price Book takes no body.' });
      }
      expectStatus(await api().request('GET', `${BOOKS}/${id}`), 200);
      expectStatus(await remove(id), 204);
    });

    it('answers 409 while another book has it as its base', async () => {
      const base = await createBook(api);
      const derived = await createBook(api, { basePriceBookId: base });
      expectProblem(await remove(base), { status: 409, type: 'price-book-in-use', says: derived });
      expectStatus(await remove(derived), 204);
      expectStatus(await remove(base), 204);
    });
  });

  describe('If-Match', () => {
    it('lets a write through only at a revision that it names', async () => {
      const id = await createBook(api);
      const put = (headers: Readonly<Record<string, string>>) =>
        api().request('PUT', `${BOOKS}/${id}/prices`, { json: [usd('P', override(1))], headers });
      expectStatus(await put({ 'if-match': '"0"' }), 200);
      expectProblem(await put({ 'if-match': '"0"' }), { status: 412, type: 'revision-mismatch' });
      expectStatus(await put({ 'if-match': '"7", "1"' }), 200);
      expectStatus(await put({ 'if-match': '*' }), 200);
      for (const never of ['3', '"3', 'w/"3"', '"3-zip"', '"x"', '"03"']) {
        expectProblem(await put({ 'if-match': never }), { status: 412, says: 'such as "3"' });
      }
      expectProblem(await patch(id, { name: 'B' }, { 'if-match': '"0"' }), { status: 412 });
      expectProblem(await remove(id, { 'if-match': '"0"' }), { status: 412 });
      const entries = { json: ['P'], headers: { 'if-match': '"0"' } };
      expectProblem(await api().request('DELETE', `${BOOKS}/${id}/prices`, entries), { status: 412 });
      expectProblem(await remove(UNKNOWN_BOOK, { 'if-match': '"0"' }), { status: 404 });
      expectStatus(await remove(id, { 'if-match': '"3"' }), 204);
    });

    it('takes the revision out of tags of compressed answers, and of those that a proxy made weak', async () => {
      const id = await createBook(api);
      const rename = (ifMatch: string) => patch(id, { name: 'B' }, { 'if-match': ifMatch });
      const forms = (revision: number) =>
        ['"R"', 'W/"R"', '"R-gzip"', '"R-br"', 'W/"R-csv-gzip"', '"R-d0123456789ab-br"'].map((form) =>
          form.replace('R', String(revision)),
        );
      for (const [revision, form] of forms(0).entries()) {
        expectStatus(await rename(form.replace('0', String(revision))), 200);
      }
      for (const past of forms(0)) expectProblem(await rename(past), { status: 412 });
    });

    it('lets one of ten writers through that have seen the same revision', async () => {
      const id = await createBook(api);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => patch(id, { name: String(i) }, { 'if-match': '"0"' })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        200,
        ...Array.from({ length: 9 }, () => 412),
      ]);
    });

    it('comes before 409', async () => {
      const base = await createBook(api);
      await createBook(api, { basePriceBookId: base });
      expectProblem(await remove(base, { 'if-match': '"7"' }), { status: 412 });
    });
  });
};
