import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Api, bodyOf, createBook, expectProblem, expectStatus } from './kit';
import { cursorOf, pagesFrom } from './pages';

const BOOKS = '/v1/pricebooks';

interface Listed {
  readonly id: string;
  readonly name: string;
}

export const describeBookLists = (api: Api): void => {
  const get = (query: string) => api().request('GET', `${BOOKS}?${query}`);

  describe('List Price Books, sorted, filtered and counted', () => {
    /** What is in the names of the books of a test alone. */
    let marker: string;
    let ids: Readonly<Record<string, string>>;
    let base: string;
    let key: string;
    before(async () => {
      marker = `m${randomUUID()}`;
      key = `key-${marker}`;
      base = await createBook(api, { name: `${marker} b base` });
      const [c, a, B] = [
        await createBook(api, { name: `${marker} c`, basePriceBookId: base }),
        await createBook(api, { name: `${marker} a`, key }),
        await createBook(api, { name: `${marker} B`, basePriceBookId: base }),
      ];
      const gone = await createBook(api, { name: `${marker} aa`, basePriceBookId: base });
      expectStatus(await api().request('DELETE', `${BOOKS}/${gone}`), 204);
      expectStatus(await api().request('PATCH', `${BOOKS}/${c}`, { json: { description: 'later' } }), 200);
      ids = { base, c, a, B };
    });

    /** The books of the test, in the order of the list, whatever other books there are. */
    const list = async (query: string): Promise<string> => {
      const books = (await pagesFrom(api, `${BOOKS}?name=${marker}&${query}`)).flat() as readonly Listed[];
      const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
      return books.map(({ id }) => names.get(id)).join(' ');
    };

    it('comes by creation, name or update, either way, in pages of any size', async () => {
      for (const [sort, expected] of [
        ['createdAt', 'base c a B'],
        ['-createdAt', 'B a c base'],
        ['name', 'a B base c'],
        ['-name', 'c base B a'],
        ['updatedAt', 'base a B c'],
        ['-updatedAt', 'c B a base'],
      ] as const) {
        for (const limit of ['', '&limit=1', '&limit=3', '&limit=1000']) {
          expect(await list(`sort=${sort}${limit}`), sort + limit).to.equal(expected);
        }
      }
    }).timeout(60_000);

    it('comes in order without a filter as well, each book once', async () => {
      for (const sort of ['name', '-name', 'updatedAt', '-updatedAt', '-createdAt']) {
        const books = (await pagesFrom(api, `${BOOKS}?sort=${sort}&limit=300`)).flat() as readonly Listed[];
        const seen = books.map(({ id }) => id);
        expect(new Set(seen).size, sort).to.equal(seen.length);
        expect(seen, sort).to.include.members(Object.values(ids));
      }
    }).timeout(60_000);

    it('has the books of a base alone, or the book of a key', async () => {
      expect(await list(`basePriceBookId=${base}`)).to.equal('c B');
      expect(await list(`basePriceBookId=${base.toUpperCase()}&sort=name&limit=1`)).to.equal('B c');
      expect(await list(`basePriceBookId=${String(ids['a'])}`)).to.equal('');
      const found = expectStatus(await get(`key=${key}`), 200).body as readonly Listed[];
      expect(found.map(({ id }) => id)).to.deep.equal([ids['a']]);
      expect(await list(`key=${key}&limit=1`)).to.equal('a');
      expect(await list(`key=${key}&basePriceBookId=${base}`)).to.equal('');
      expect(expectStatus(await get(`key=${key}&name=nothing-like-it`), 200).body).to.deep.equal([]);
      expect(expectStatus(await get(`key=${key.toUpperCase()}`), 200).body).to.deep.equal([]);
    }).timeout(60_000);

    it('says how many there are on all pages, where that is asked', async () => {
      const total = async (query: string) =>
        expectStatus(await get(`${query}&limit=1`), 200).headers.get('x-total-count');
      expect(await total(`name=${marker}`)).to.equal(null);
      expect(await total(`name=${marker}&total=false`)).to.equal(null);
      expect(await total(`name=${marker}&total=true`)).to.equal('4');
      // As clients of some languages write it.
      expect(await total(`name=${marker}&total=True`)).to.equal('4');
      expect(await total(`name=${marker}&basePriceBookId=${base}&total=true`)).to.equal('2');
      expect(await total(`key=${key}&total=true`)).to.equal('1');
      expect(await total(`name=nothing-${marker}&total=true`)).to.equal('0');
      const all = (await pagesFrom(api, `${BOOKS}?limit=1000`)).flat().length;
      expect(await total('total=true')).to.equal(String(all));
      const second = await get(
        `name=${marker}&total=true&limit=2&cursor=${cursorOf(`pricebooks:${String(ids['a'])}`)}`,
      );
      expect(second.headers.get('x-total-count')).to.equal('4');
    }).timeout(60_000);

    it('refuses what it cannot be sorted or filtered by', async () => {
      const id = String(ids['a']);
      for (const [query, says] of [
        ['sort=price', '"sort" must be one of: createdAt, -createdAt, name'],
        ['sort=', '"sort"'],
        ['sort=name&sort=name', '"sort"'],
        ['sort=+name', '"sort"'],
        ['total=yes', '"total"'],
        ['total=true&total=true', '"total"'],
        ['basePriceBookId=x', '"basePriceBookId"'],
        [`basePriceBookId=${id}&basePriceBookId=${id}`, '"basePriceBookId"'],
        ['key=', '"key"'],
        ['key=a%20b', '"key"'],
        [`cursor=${cursorOf('pricebooks:x name')}`, '"cursor"'],
      ] as const) {
        expectProblem(await get(query), { status: 400, type: 'invalid-request', says });
      }
      const place = cursorOf(`pricebooks:${id} whatever \0 it is`);
      expectStatus(await get(`sort=name&limit=1&cursor=${place}`), 200);
      expect(bodyOf(await api().request('GET', `${BOOKS}/${id}`))).to.include({ id });
    });
  });
};
