import { expect } from 'chai';
import * as fc from 'fast-check';
import { faultsIn, pointersIn, read } from '../testing/reading';
import { quantityOf, quoteLinesCodec } from './quote-lines';

const line = { productId: 'P', currency: 'USD' };

describe('The body of Quote', () => {
  const pointers = (body: unknown) => pointersIn(quoteLinesCodec, body);
  const parametersOf = (fields: object) => {
    const [read0] = read(quoteLinesCodec, [{ ...line, ...fields }]);
    return Object.fromEntries(read0?.parameters ?? []);
  };

  it('is an array of lines, each with a product and a currency', () => {
    expect(read(quoteLinesCodec, [{ ...line, currency: 'usd' }, line])).to.deep.equal([
      { ...line, parameters: new Map() },
      { ...line, parameters: new Map() },
    ]);
  });

  it('gives quantity and properties to the tables as query parameters would', () => {
    const fields = { quantity: 2.5, properties: { region: 'EU', seats: 10, fine: 1e-7, empty: '' } };
    expect(parametersOf(fields)).to.deep.equal({
      quantity: ['2.5'],
      region: ['EU'],
      seats: ['10'],
      fine: ['1e-7'],
      empty: [''],
    });
    expect(parametersOf({ properties: { quantity: '3' } })).to.deep.equal({ quantity: ['3'] });
  });

  it('keeps what the answer repeats as it is given', () => {
    const fields = { id: 'position-1', quantity: 2.5, properties: { region: 'EU', seats: 10 } };
    const [first] = read(quoteLinesCodec, [{ ...line, ...fields }]);
    expect(first).to.deep.include(fields);
    expect(
      pointers([
        { ...line, id: '' },
        { ...line, id: 5 },
        { ...line, id: 'x'.repeat(257) },
      ]),
    ).to.deep.equal(['/0/id', '/1/id', '/2/id']);
  });

  it('has its quantity wherever that is given, and checks it there', () => {
    const quantities = [
      {},
      { quantity: 3 },
      { properties: { quantity: 4 } },
      { properties: { quantity: '5.0' } },
    ];
    const lines = read(
      quoteLinesCodec,
      quantities.map((fields) => ({ ...line, ...fields })),
    );
    expect(lines.map(quantityOf)).to.deep.equal([1, 3, 4, 5]);
    for (const quantity of [0, -1, 'abc', '0', '', '1e400']) {
      expect(pointers([{ ...line, properties: { quantity } }]), String(quantity)).to.deep.equal([
        '/0/properties/quantity',
      ]);
    }
  });

  it('takes numbers that read back as the same', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (seats) => {
        const [text] = parametersOf({ properties: { seats } })['seats'] ?? [];
        expect(Number(text)).to.equal(seats + 0);
      }),
    );
  });

  it('takes properties of any name, also of those that objects have', () => {
    const properties: unknown = JSON.parse('{"__proto__":"a","constructor":"b","a/b":"c"}');
    const [first] = read(quoteLinesCodec, [{ ...line, properties }]);
    expect([...(first?.parameters ?? [])]).to.deep.equal([
      ['__proto__', ['a']],
      ['constructor', ['b']],
      ['a/b', ['c']],
    ]);
  });

  it('has times in UTC, whatever their offset', () => {
    const [first] = read(quoteLinesCodec, [{ ...line, at: '2026-01-31T12:00:00.1239+02:00' }]);
    expect(first?.at).to.equal('2026-01-31T10:00:00.123Z');
    for (const at of [
      '2026-01-31',
      '2026-01-31T12:00:00',
      '2026-02-30T12:00:00Z',
      '2026-02-30T12:00:00.000Z',
      5,
      null,
      '',
    ]) {
      expect(pointers([{ ...line, at }]), String(at)).to.deep.equal(['/0/at']);
    }
  });

  it('is refused with every fault of every line at once', () => {
    expect(
      pointers([
        line,
        {},
        { productId: 'all', currency: 'XAU', quantity: 0, properties: [], at: 'now', extra: 1 },
        { ...line, quantity: 1, properties: { quantity: 1, at: 'x', seats: null, '': 'a' } },
        { ...line, quantity: '1' },
        'P',
      ]),
    ).to.deep.equal([
      '/1/productId',
      '/1/currency',
      '/2/productId',
      '/2/currency',
      '/2/quantity',
      '/2/properties',
      '/2/at',
      '/2/extra',
      '/3/properties/at',
      '/3/properties/seats',
      '/3/properties/',
      '/3/properties/quantity',
      '/4/quantity',
      '/5',
    ]);
    for (const quantity of [-1, Infinity, NaN, null, true]) {
      expect(pointers([{ ...line, quantity }])).to.deep.equal(['/0/quantity']);
    }
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`p${String(n)}`, n]));
    expect(pointers([{ ...line, properties: many }])).to.deep.equal(['/0/properties']);
  });

  it('has 1 to 10,000 lines', () => {
    expect(pointers([])).to.deep.equal(['']);
    expect(pointers(line)).to.deep.equal(['']);
    expect(pointers(Array.from({ length: 10_000 }, () => line))).to.deep.equal([]);
    expect(
      faultsIn(
        quoteLinesCodec,
        Array.from({ length: 10_001 }, () => line),
      )[0]?.detail,
    ).to.include('10000');
  });
});
