import { expect } from 'chai';
import { currencyCodes } from '../currency';
import { faultsIn, pointersIn, read } from '../testing/reading';
import {
  createPriceBookCodec,
  deleteEntriesCodec,
  setProductPricesReader,
  updatePriceBookCodec,
} from './requests';

const id = '019a9b3c-1d2e-7f30-8a4b-5c6d7e8f9a0b';
const override = (amount: unknown) => ({ type: 'override', amount });
const percent = (amount: unknown) => ({ type: 'percent', amount });

describe('The body of Create Price Book', () => {
  const pointers = (body: unknown) => pointersIn(createPriceBookCodec, body);

  it('needs just a name', () => {
    expect(read(createPriceBookCodec, { name: 'EU' })).to.deep.equal({ name: 'EU' });
  });

  it('may have a description and a base', () => {
    expect(
      read(createPriceBookCodec, { name: 'EU', description: ' as is ', basePriceBookId: id.toUpperCase() }),
    ).to.deep.equal({ name: 'EU', description: ' as is ', basePriceBookId: id });
  });

  it('has its name trimmed', () => {
    expect(read(createPriceBookCodec, { name: ' \t\u00a0EU 2026\n' })).to.deep.equal({ name: 'EU 2026' });
  });

  it('has a name of 1 to 200 characters, by code points, white space at its ends not counted', () => {
    for (const name of ['x', 'x'.repeat(200), '😀'.repeat(200), `  ${'x'.repeat(200)}  `]) {
      expect(pointers({ name }), name).to.deep.equal([]);
    }
    for (const name of ['', ' ', '\u3000\n', 'x'.repeat(201), '😀'.repeat(201), '\ud83d', null, 5, ['x']]) {
      expect(pointers({ name }), JSON.stringify(name)).to.deep.equal(['/name']);
    }
  });

  it('has a description of up to 2,000 characters, by code points', () => {
    for (const description of ['', 'x'.repeat(2_000), '😀'.repeat(2_000)]) {
      expect(pointers({ name: 'x', description })).to.deep.equal([]);
    }
    for (const description of ['x'.repeat(2_001), '😀'.repeat(2_001), '\ude00', null, 5]) {
      expect(pointers({ name: 'x', description })).to.deep.equal(['/description']);
    }
    expect(faultsIn(createPriceBookCodec, { name: 'x', description: 'x'.repeat(2_001) })).to.deep.equal([
      { pointer: '/description', detail: 'must have at most 2000 characters; it has 2001' },
    ]);
  });

  it('is refused with every fault at once', () => {
    expect(
      pointers({ id, createdAt: '', updatedAt: '', colour: 'red', description: 5, basePriceBookId: 'x' }),
    ).to.deep.equal([
      '/name',
      '/id',
      '/createdAt',
      '/updatedAt',
      '/colour',
      '/description',
      '/basePriceBookId',
    ]);
  });

  it('is refused with fields that the service assigns, saying so', () => {
    expect(faultsIn(createPriceBookCodec, { name: 'x', id })).to.deep.equal([
      { pointer: '/id', detail: 'is assigned by the service and cannot be given' },
    ]);
  });

  it('is an object', () => {
    for (const body of [null, [], 'x', 5, [{ name: 'x' }]]) expect(pointers(body)).to.deep.equal(['']);
  });
});

describe('The body of Update Price Book', () => {
  const pointers = (body: unknown) => pointersIn(updatePriceBookCodec, body);

  it('has any of name and description', () => {
    for (const body of [{}, { name: 'x' }, { description: '' }, { name: 'x', description: 'y' }]) {
      expect(read(updatePriceBookCodec, body)).to.deep.equal(body);
    }
  });

  it('has the lengths of Create Price Book', () => {
    expect(pointers({ name: ' ', description: 'x'.repeat(2_001) })).to.deep.equal(['/name', '/description']);
  });

  it('is refused with what the service assigns or what never changes, saying so', () => {
    expect(faultsIn(updatePriceBookCodec, { updatedAt: '', basePriceBookId: id })).to.deep.equal([
      { pointer: '/updatedAt', detail: 'is assigned by the service and cannot be given' },
      { pointer: '/basePriceBookId', detail: 'is given at creation and never changes' },
    ]);
  });

  it('names the known fields where one is unknown', () => {
    expect(faultsIn(updatePriceBookCodec, { toString: 1, Name: 'x' })).to.deep.equal([
      { pointer: '/toString', detail: 'is not a known field; known are: name, description, key, metadata' },
      {
        pointer: '/Name',
        detail: 'is not a known field; known are: name, description, key, metadata; did you mean "name"?',
      },
    ]);
  });
});

describe('The body of Set Product Prices for products', () => {
  const pointers = (body: unknown) => pointersIn(setProductPricesReader, body);
  const items = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ productId: `P${String(index)}` }));

  it('is a list of items, whose currencies are kept in upper case', () => {
    expect(
      read(setProductPricesReader, [
        { productId: 'P', adjustments: { usd: override(1), Jpy: percent(-0) } },
        { productId: 'Q' },
      ]),
    ).to.deep.equal({
      _tag: 'SetProductPrices',
      items: [
        { productId: 'P', adjustments: { USD: override(1), JPY: percent(0) } },
        { productId: 'Q', adjustments: {} },
      ],
    });
  });

  it('may be empty', () => {
    expect(read(setProductPricesReader, [])).to.deep.equal({ _tag: 'SetProductPrices', items: [] });
  });

  it('has up to 10,000 items', () => {
    expect(pointers(items(10_000))).to.deep.equal([]);
    expect(pointers(items(10_001))).to.deep.equal(['']);
  });

  it('has a product only once', () => {
    expect(
      pointers([{ productId: 'P' }, { productId: 'Q' }, { productId: 'P' }, { productId: 'p' }]),
    ).to.deep.equal(['/2/productId']);
  });

  it('has a currency only once for a product, in whichever letter case', () => {
    expect(pointers([{ productId: 'P', adjustments: { USD: override(1), usd: override(1) } }])).to.deep.equal(
      ['/0/adjustments/usd'],
    );
  });

  it('has up to 200 currencies for a product, of which there are fewer', () => {
    const adjustments = Object.fromEntries(
      Array.from({ length: 201 }, (_, index) => [`X${String(index)}`, override(1)]),
    );
    expect(pointers([{ productId: 'P', adjustments }])).to.deep.equal(['/0/adjustments']);
  });

  it('takes the null adjustment, but no JSON null', () => {
    expect(
      pointers([{ productId: 'P', adjustments: { USD: { type: 'null', amount: null } } }]),
    ).to.deep.equal([]);
    expect(faultsIn(setProductPricesReader, [{ productId: 'P', adjustments: { USD: null } }])).to.deep.equal([
      {
        pointer: '/0/adjustments/USD',
        detail:
          'must be an object; null is for all products alone: to take away what one has, give {"type":"null","amount":null}',
      },
    ]);
    expect(pointers([{ productId: 'P', adjustments: null }])).to.deep.equal(['/0/adjustments']);
  });

  it('cannot name all products among the items', () => {
    expect(pointers([{ productId: 'all' }, { productId: 'ALL' }])).to.deep.equal([
      '/0/productId',
      '/1/productId',
    ]);
    expect(faultsIn(setProductPricesReader, [{ productId: 'all', adjustments: {} }])[0]?.detail).to.equal(
      'must not be "all" in an array, in any letter case: for all products send an object instead, {"productId":"all","adjustments":{...}}',
    );
  });

  it('is refused with the faults of every item at once, in the order of the items', () => {
    expect(
      pointers([
        { productId: '', adjustments: { USD: override(-1), EURO: override(1), '': percent(0) } },
        5,
        { adjustments: [], price: 1 },
        { productId: 'Q', adjustments: { XAU: override(-1) } },
        { productId: 'R', adjustments: { 'a/b': percent(0), __proto__x: percent(0) } },
      ]),
    ).to.deep.equal([
      '/0/productId',
      '/0/adjustments/USD/amount',
      '/0/adjustments/EURO',
      '/0/adjustments/',
      '/1',
      '/2/productId',
      '/2/adjustments',
      '/2/price',
      '/3/adjustments/XAU',
      '/3/adjustments/XAU/amount',
      '/4/adjustments/a~1b',
      '/4/adjustments/__proto__x',
    ]);
  });

  it('is refused with a currency __proto__', () => {
    const body: unknown = JSON.parse(
      '[{"productId":"P","adjustments":{"__proto__":{"type":"percent","amount":1}}}]',
    );
    expect(pointers(body)).to.deep.equal(['/0/adjustments/__proto__']);
  });

  it('is told of repeated products and of faulty ones at once', () => {
    expect(
      pointers([{ productId: 'a' }, { productId: 'a' }, { productId: 5 }, { productId: 'a', x: 1 }]),
    ).to.deep.equal(['/2/productId', '/3/x', '/1/productId', '/3/productId']);
  });

  it('is refused with at most 50 faults', () => {
    const faulty = Array.from({ length: 10_000 }, (_, index) => ({
      productId: `P${String(index)}`,
      colour: 'red',
    }));
    expect(pointers(faulty)).to.have.length(50);
    expect(faultsIn(setProductPricesReader, faulty).at(-1)).to.deep.equal({
      pointer: '',
      detail: 'holds 9951 more faults',
    });
  });
});

describe('A body of Set Product Prices below 1 MiB', () => {
  it('is refused in an orderly way, however many faults it has', () => {
    const table = { type: 'range', property: 'p', values: Array.from({ length: 1_000 }, () => ({})) };
    const adjustments = Object.fromEntries(currencyCodes.slice(0, 160).map((code) => [code, table]));
    const body: unknown = [{ productId: 'P', adjustments }];
    expect(JSON.stringify(body)).to.have.length.below(2 ** 20);
    expect(faultsIn(setProductPricesReader, body)).to.have.length(50);
  });
});

describe('The body of Set Product Prices for all products', () => {
  const pointers = (body: unknown) => pointersIn(setProductPricesReader, body);

  it('is an object with percents and nulls', () => {
    expect(
      read(setProductPricesReader, { productId: 'all', adjustments: { usd: percent(10), JPY: null } }),
    ).to.deep.equal({
      _tag: 'AdjustAllProducts',
      adjustments: { USD: percent(10), JPY: { type: 'null', amount: null } },
    });
  });

  it('may hold no adjustment', () => {
    expect(read(setProductPricesReader, { productId: 'all', adjustments: {} })).to.deep.equal({
      _tag: 'AdjustAllProducts',
      adjustments: {},
    });
  });

  it('says all in lower case and nothing else', () => {
    for (const productId of ['ALL', 'All', 'P', '', null]) {
      expect(pointers({ productId, adjustments: {} })).to.deep.equal(['/productId']);
    }
  });

  it('needs both fields', () => {
    expect(pointers({})).to.deep.equal(['/productId', '/adjustments']);
    expect(pointers({ productId: 'all' })).to.deep.equal(['/adjustments']);
    expect(pointers({ productId: 'all', adjustments: null })).to.deep.equal(['/adjustments']);
  });

  it('takes no other kind than percent', () => {
    const row = { firstUnit: 0, lastUnit: 1, unitPrice: 1 };
    for (const adjustment of [
      override(1),
      { type: 'enum', property: 'p', values: [{ value: 'x', unitPrice: 1 }] },
      { type: 'range', property: 'p', values: [row] },
      { type: 'volume', tiers: [row] },
    ]) {
      expect(pointers({ productId: 'all', adjustments: { USD: adjustment } })).to.deep.equal([
        '/adjustments/USD/type',
      ]);
    }
  });

  it('takes a percent away by JSON null alone, and says so', () => {
    for (const adjustment of [{ type: 'null', amount: null }, { type: 'null' }]) {
      expect(
        faultsIn(setProductPricesReader, { productId: 'all', adjustments: { USD: adjustment } }),
      ).to.deep.equal([
        {
          pointer: '/adjustments/USD',
          detail: 'must be null itself, not an object, to take away what all products have',
        },
      ]);
    }
  });

  it('says that products stand in an array', () => {
    expect(faultsIn(setProductPricesReader, { productId: 'lamp', adjustments: {} })).to.deep.equal([
      {
        pointer: '/productId',
        detail: 'must be "all", not "lamp": products are sent in an array, also a single one',
      },
    ]);
    expect(faultsIn(setProductPricesReader, { productId: 'ALL', adjustments: {} })).to.deep.equal([
      { pointer: '/productId', detail: 'must be "all", not "ALL"' },
    ]);
  });

  it('is refused with every fault at once', () => {
    expect(
      pointers({ productId: 'all', adjustments: { USD: percent(-101), usd: null, EURO: 5 }, note: '' }),
    ).to.deep.equal([
      '/adjustments/USD/amount',
      '/adjustments/usd',
      '/adjustments/EURO',
      '/adjustments/EURO',
      '/note',
    ]);
  });

  it('is neither a text nor a number nor null', () => {
    for (const body of ['all', 5, null, true]) expect(pointers(body)).to.deep.equal(['']);
  });
});

describe('The body of Delete Price Book Entries', () => {
  const pointers = (body: unknown) => pointersIn(deleteEntriesCodec, body);

  it('is a list of product ids, possibly the same twice', () => {
    expect(read(deleteEntriesCodec, ['P', 'a/b', 'P'])).to.deep.equal(['P', 'a/b', 'P']);
    expect(read(deleteEntriesCodec, [])).to.deep.equal([]);
  });

  it('is never all products', () => {
    expect(pointers(['all', 'P', 'All'])).to.deep.equal(['/0', '/2']);
    for (const body of ['all', { productId: 'all' }, null, undefined, {}]) {
      expect(pointers(body)).to.deep.equal(['']);
    }
  });

  it('is refused with every id that is none', () => {
    expect(pointers(['P', '', 5, null, '.', 'a\u0000'])).to.deep.equal(['/1', '/2', '/3', '/4', '/5']);
  });

  it('has up to 10,000 ids', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index));
    expect(pointers(ids(10_000))).to.deep.equal([]);
    expect(pointers(ids(10_001))).to.deep.equal(['']);
  });
});
