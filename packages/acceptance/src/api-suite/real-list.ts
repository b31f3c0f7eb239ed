import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { type Api, bodyOf, createBook, csvOf, priceOf, setCsv, setPrices } from './kit';

const FILE = path.resolve(__dirname, '../../../../../shared/data/ai-model-prices.set-prices.json');

interface Item {
  readonly productId: string;
  readonly adjustments: {
    readonly USD: {
      readonly type: string;
      readonly property: string;
      readonly amount: number;
      readonly values: readonly { value: string; firstUnit: number; lastUnit: number; unitPrice: number }[];
    };
  };
}

/** Each row of an item: the query that chooses it, and the price that it says. */
const rowsOf = ({ adjustments: { USD } }: Item): readonly (readonly [string, number])[] => {
  if (USD.type === 'override') return [['', USD.amount]];
  return USD.values.flatMap(({ value, firstUnit, lastUnit, unitPrice }) => {
    const query = (text: string) => `?${encodeURIComponent(USD.property)}=${encodeURIComponent(text)}`;
    if (USD.type === 'enum') return [[query(value), unitPrice] as const];
    // Where rows touch, the shared bound is the later one's.
    const isShared = USD.values.some((row) => row.firstUnit === lastUnit && row.firstUnit > firstUnit);
    return [
      [query(String(firstUnit)), unitPrice] as const,
      ...(isShared ? [] : [[query(String(lastUnit)), unitPrice] as const]),
    ];
  });
};

const rowCount = ({ adjustments: { USD } }: Item): number =>
  USD.type === 'override' ? 1 : USD.values.length;

export const describeRealList = (api: Api): void => {
  const isThere = fs.existsSync(FILE);
  describe(`a real price list${isThere ? '' : ` (skipped: ${path.basename(FILE)} is not here)`}`, () => {
    before(function () {
      if (!isThere) this.skip();
    });

    it('of 1,331 products is set in one request, and every row is read back exactly', async () => {
      const items = JSON.parse(fs.readFileSync(FILE, 'utf8')) as readonly Item[];
      const book = await createBook(api);
      expect(bodyOf(await setPrices(api, book, items))).to.include({ productsSet: 1_331 });
      let rows = 0;
      for (const item of items) {
        for (const [query, price] of rowsOf(item)) {
          rows += 1;
          expect(await priceOf(api, book, item.productId, query), `${item.productId}${query}`).to.equal(
            price,
          );
        }
      }
      expect(rows).to.be.greaterThan(3_000);
    }).timeout(60_000);

    it('is the same as CSV, set in an empty book', async () => {
      const items = JSON.parse(fs.readFileSync(FILE, 'utf8')) as readonly Item[];
      const book = await createBook(api);
      await setPrices(api, book, items);
      const csv = await csvOf(api, book);
      const rows = items.reduce((sum, item) => sum + rowCount(item), 0);
      expect(csv.split('\r\n')).to.have.length(rows + 2);
      const copy = await createBook(api);
      expect(bodyOf(await setCsv(api, copy, csv))).to.include({ productsSet: 1_331 });
      expect(await csvOf(api, copy)).to.equal(csv);
    }).timeout(60_000);
  });
};
