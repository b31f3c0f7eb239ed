import { expect } from 'chai';
import { checkHistory } from './check-history';
import { encodeLine, MAX_LINE_BYTES } from './history-line';
import { alternating, created, historyOf, priceSet, sourceOf, textOf } from './testing/histories';

const check = (text: string, pieceBytes?: number) =>
  checkHistory(sourceOf(text, pieceBytes), () => undefined);

const sound = textOf(historyOf([created(1), priceSet(1, 7)]));
const [next] = historyOf([created(1), priceSet(1, 7), priceSet(1, 8)]).slice(2);
if (next === undefined) throw new Error('there are three');

const faultsIn = async (line: string): Promise<readonly string[]> => {
  const { faults } = await check(sound + line);
  return faults.map((fault) => `${String(fault.line)}: ${fault.reason}`);
};

const withField = (field: string, value: unknown): string => JSON.stringify({ ...next, [field]: value });
const withMetadata = (field: string, value: unknown): string =>
  withField('metadata', { ...(next.metadata as object), [field]: value });

describe('a history file', () => {
  it('is sound as it is exported, with or without its last line feed, whatever the pieces it comes in', async () => {
    const history = alternating(60, 7);
    const text = textOf(history);
    for (const pieceBytes of [1, 17, 400, 1_000_000]) {
      for (const form of [text, text.trimEnd(), text.replaceAll('\n', '\r\n')]) {
        expect(await check(form, pieceBytes)).to.deep.equal({
          events: 60,
          streams: 7,
          unhashed: 7,
          faults: [],
          faultCount: 0,
        });
      }
    }
  });

  it('may be empty', async () => {
    expect(await check('')).to.deep.equal({ events: 0, streams: 0, unhashed: 0, faults: [], faultCount: 0 });
  });

  it('has the fields of a line in their order', () => {
    expect(Object.keys(JSON.parse(encodeLine(next)) as object)).to.deep.equal([
      'stream',
      'revision',
      'id',
      'type',
      'data',
      'metadata',
    ]);
  });

  const faults: Readonly<Record<string, readonly [line: string, reason: RegExp]>> = {
    'an empty line': ['\n', /not JSON/],
    'what is not JSON': ['{"stream":', /not JSON/],
    'a line that was cut off': [encodeLine(next).slice(0, -20), /not JSON/],
    'a value that is no object': ['[]', /no JSON object/],
    'a missing field': [withField('data', undefined), /^3: data is missing$/],
    'an unknown field': [withField('position', 3), /^3: position is not a field/],
    'a stream of someone else': [
      withField('stream', '$settings'),
      /^3: stream must be .*priceBook- or apiKeys/,
    ],
    'a stream with a NUL': [withField('stream', `${next.stream}\0`), /^3: stream must/],
    'a stream with a long name': [withField('stream', `priceBook-${'x'.repeat(1_000)}`), /^3: stream must/],
    'a revision that is a text': [withField('revision', '2'), /^3: revision must be a whole number/],
    'a revision below 0': [withField('revision', -1), /^3: revision must be a whole number/],
    'a gap': [withField('revision', 3), /^3: revision 3 of priceBook-.* comes where revision 2 belongs$/],
    'a revision again': [
      withField('revision', 1),
      /^3: revision 1 of priceBook-.* comes where revision 2 belongs$/,
    ],
    'a stream that begins in the middle': [
      withField('stream', 'apiKeys'),
      /^3: revision 2 of apiKeys comes where revision 0 belongs$/,
    ],
    'an id that is no UUID': [withField('id', 'x'), /^3: id must be a UUID/],
    'an id in upper case': [withField('id', next.id.toUpperCase()), /^3: id must be a UUID in lower case$/],
    'a type that is no text': [withField('type', 1), /^3: type must be a text/],
    "a type of EventStoreDB's own": [withField('type', '$metadata'), /^3: type must be a text/],
    'data that are no object': [withField('data', null), /^3: data must be an object$/],
    'metadata that are no object': [withField('metadata', 'x'), /^3: metadata must be an object$/],
    'an unknown type of event': [
      withField('type', 'PriceBookPainted'),
      /^3: this version cannot read it: .*PriceBookCreated/,
    ],
    'data of another event': [
      withField('type', 'PriceBookCreated'),
      /^3: this version cannot read it: \/data/,
    ],
    'a schema version of later': [withMetadata('schemaVersion', 99), /^3: .*schema version 99 is not known/],
    'metadata without a time': [
      withMetadata('occurredAt', undefined),
      /^3: this version cannot read it: its metadata is not what this version writes$/,
    ],
    'a key that is none': [
      JSON.stringify({ ...next, stream: 'apiKeys', revision: 0, type: 'ApiKeyPainted' }),
      /^3: this version cannot read it: ApiKeyPainted is not an event of keys/,
    ],
    'a claim of a key by what is no book': [
      JSON.stringify({
        ...next,
        stream: 'priceBookKey-retail',
        revision: 0,
        type: 'PriceBookKeyClaimed',
        data: { priceBookId: 'retail' },
      }),
      /^3: this version cannot read it: .*data\/priceBookId is not the id of a price book/,
    ],
  };
  for (const [name, [line, reason]] of Object.entries(faults)) {
    it(`must not hold ${name}`, async () => {
      const found = await faultsIn(line);
      expect(found).to.have.length(1);
      expect(found[0]).to.match(/^3: /).and.to.match(reason);
    });
  }

  it('must be UTF-8', async () => {
    const bytes = Buffer.from(encodeLine(next), 'utf8');
    bytes[bytes.indexOf('tester')] = 0xff;
    const source = async function* () {
      await Promise.resolve();
      yield Buffer.concat([Buffer.from(sound), bytes]);
    };
    const { faults: found } = await checkHistory(source(), () => undefined);
    expect(found).to.deep.equal([{ _tag: 'FaultyLine', line: 3, reason: 'it is not UTF-8' }]);
  });

  it('is read no further where it has no lines', async () => {
    let pieces = 0;
    const source = async function* () {
      for (; ; pieces += 1) {
        await Promise.resolve();
        yield Buffer.alloc(MAX_LINE_BYTES / 8, 'x');
      }
    };
    const { faults: found } = await checkHistory(source(), () => undefined);
    expect(found.map(({ line }) => line)).to.deep.equal([1]);
    expect(pieces).to.equal(8);
  });

  it('is checked to its end: the first 50 faults are told, all are counted', async () => {
    const history = alternating(200, 4);
    const lines = history.map((event, n) =>
      n % 2 === 0 ? encodeLine(event) : encodeLine({ ...event, id: `not ${event.id}` }),
    );
    const { events, faults: found, faultCount } = await check(lines.join(''));
    // A line that is faulty keeps its place: the next one of its stream is not blamed.
    expect([events, found.length, faultCount]).to.deep.equal([100, 50, 100]);
    expect(found.map(({ line }) => line)).to.deep.equal(Array.from({ length: 50 }, (_, n) => 2 * n + 2));
  });
});
