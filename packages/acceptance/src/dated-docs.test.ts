/** The story of a sale in docs/prices.md, request by request, at the times that it names. */
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { startTestService, type TestService } from './testing/test-service';

const page = fs.readFileSync(path.resolve(__dirname, '../../../docs/prices.md'), 'utf8');

interface Exchange {
  readonly method: string;
  readonly target: string;
  /** When it is sent. */
  readonly time: number;
  readonly json?: unknown;
  /** Absent where the page does not show the answer. */
  readonly answer?: unknown;
}

const readStory = (): readonly Exchange[] =>
  [...page.matchAll(/```http\n([^`]*)```\n(?:\n```json\n([^`]*)```)?/g)].map(([, request = '', answer]) => {
    const [head = '', body] = request.split('\n\n');
    const [, method = '', target = ''] = /^([A-Z]+) (\S+)/.exec(head) ?? [];
    const [, date = ''] = /^Date: (.*)$/m.exec(head) ?? [];
    return {
      method,
      target,
      time: Date.parse(date),
      ...(body !== undefined && { json: JSON.parse(body) as unknown }),
      ...(answer !== undefined && { answer: JSON.parse(answer) as unknown }),
    };
  });

describe('The sale of docs/prices.md', () => {
  let service: TestService;
  let book = '';
  const story = readStory();

  before(async () => {
    service = await startTestService();
    service.stopClockAt(story[0]?.time ?? 0);
    const { body } = await service.request('POST', '/v1/pricebooks', { json: { name: 'Retail' } });
    book = (body as { readonly id: string }).id;
  });

  after(async () => {
    await service.stop();
    service.remove();
  });

  it('has all its parts', () => {
    expect(story).to.have.length(11);
    expect(story.filter(({ answer }) => answer !== undefined)).to.have.length(7);
  });

  story.forEach(({ method, target, time, json, answer }, place) => {
    it(`${String(place + 1)}. ${new Date(time).toISOString()}: ${method} ${target}`, async () => {
      service.stopClockAt(time);
      const given = await service.request(
        method,
        target.replace('{book}', book),
        json === undefined ? {} : { json },
      );
      expect(given.status, JSON.stringify(given.body)).to.equal(200);
      if (answer !== undefined) expect(given.body).to.deep.equal(answer);
    });
  });
});

const T0 = Date.parse('2027-01-01T00:00:00Z');
const DAY = 86_400_000;
/** T0 to T5. */
const instant = (place: number | string): string => new Date(T0 + Number(place) * DAY).toISOString();

interface Row {
  readonly words: string;
  readonly prices: readonly number[];
}

const rowsOfTable = (): readonly Row[] => {
  const table = page.slice(page.indexOf('### Worked examples of dates'), page.indexOf('## Choosing a row'));
  return [...table.matchAll(/^\| ([^|]+?) +\| ([\d, ]+?) +\|$/gm)].map(([, words = '', prices = '']) => ({
    words,
    prices: prices.split(', ').map(Number),
  }));
};

/** `R: P override 60, T1 until T3`: the book and the body. */
const requestIn = (words: string): { readonly book: string; readonly json: unknown } | undefined => {
  const pattern =
    /([RD]): (P|all) (override|percent|cancel) ?(-?\d+)?(?:, (?:from )?T(\d)(?: until T(\d))?)?/;
  const found = pattern.exec(words);
  if (found === null) return undefined;
  const [, book = '', who = '', type = '', amount, from, until] = found;
  const adjustments = {
    USD: {
      type,
      ...(amount !== undefined && { amount: Number(amount) }),
      ...(from !== undefined && { validFrom: instant(from) }),
      ...(until !== undefined && { validUntil: instant(until) }),
    },
  };
  return {
    book,
    json: who === 'all' ? { productId: 'all', adjustments } : [{ productId: who, adjustments }],
  };
};

describe('The worked examples of dates in docs/prices.md', () => {
  let service: TestService;
  const ids = new Map<string, string>();

  before(async () => {
    service = await startTestService();
    service.stopClockAt(T0 - DAY);
    const create = async (json: object) =>
      ((await service.request('POST', '/v1/pricebooks', { json })).body as { readonly id: string }).id;
    ids.set('R', await create({ name: 'R' }));
    ids.set('D', await create({ name: 'D', basePriceBookId: ids.get('R') }));
  });

  after(async () => {
    await service.stop();
    service.remove();
  });

  it('are all there', () => {
    expect(rowsOfTable()).to.have.length(9);
  });

  for (const { words, prices } of rowsOfTable()) {
    it(`${words}: ${prices.join(', ')}`, async () => {
      if (words.startsWith('at T4')) service.stopClockAt(T0 + 4 * DAY);
      const [first, ...others] = words.split('; ');
      const named = requestIn(first ?? '');
      const requests = [named, ...others.map((other) => requestIn(`${named?.book ?? ''}: ${other}`))];
      for (const request of requests) {
        if (request === undefined) continue;
        const target = `/v1/pricebooks/${String(ids.get(request.book))}/prices`;
        const answer = await service.request('PUT', target, { json: request.json });
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      }
      const asked = words.includes('in D') ? 'D' : 'R';
      for (const [place, price] of prices.entries()) {
        const target = `/v1/pricebooks/${String(ids.get(asked))}/P/USD?at=${instant(place)}`;
        const { body } = await service.request('GET', target);
        expect((body as { readonly price: number }).price, `T${String(place)}`).to.equal(price);
      }
    });
  }
});
