import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as fc from 'fast-check';
import { goldenFile, goldenFiles, readGolden } from '../testing/golden';
import { priceBookEventReader } from './events';
import { priceBookEventVersions, readKeptEvent } from './kept-events';
import { upcasters } from './upcasters';

/** Every version that there has been. */
const versions = Object.entries(priceBookEventVersions).flatMap(([type, current]) =>
  Array.from({ length: current }, (_, n) => ({ type, version: n + 1, isCurrent: n + 1 === current })),
);

describe('Kept events', () => {
  it('have a golden file for each type and each version of it, and no other', () => {
    expect(goldenFiles()).to.deep.equal(
      versions.map(({ type, version }) => goldenFile(type, version)).sort(),
    );
  });

  for (const { type, version, isCurrent } of versions) {
    it(`of the type ${type}, version ${String(version)}, read as their golden file says`, () => {
      const golden = readGolden(goldenFile(type, version));
      expect(golden).not.to.have.length(0);
      for (const { kept, readsAs } of golden) {
        expect(kept.type).to.equal(type);
        expect(kept.metadata['schemaVersion']).to.equal(version);
        const event = readKeptEvent({ type, schemaVersion: version, data: kept.data });
        if (E.isLeft(event)) throw new Error(JSON.stringify(event.left.map(({ message }) => message)));
        const text = JSON.stringify(priceBookEventReader.encode(event.right));
        expect(text).to.equal(JSON.stringify(readsAs));
        if (isCurrent) expect(JSON.parse(text)).to.deep.equal({ type, data: kept.data });
      }
    });
  }

  const steps = Object.entries(upcasters).flatMap(([type, list]) =>
    list.map((upcast, n) => ({ type, from: n + 1, upcast })),
  );
  for (const { type, from, upcast } of steps) {
    it(`of the type ${type}, version ${String(from)}, are brought up without a throw, whatever they hold, and stay JSON`, () => {
      // The names of fields that the golden files have, so that damage is found inside of them too.
      const known = readGolden(goldenFile(type, from)).map(({ kept }) => kept.data);
      const field = fc.constantFrom(...known.flatMap((data) => Object.keys(data as object)), '__proto__');
      const json = fc.jsonValue();
      const damaged = fc.oneof(
        json,
        fc.dictionary(field, json),
        fc.dictionary(field, fc.dictionary(field, json)),
      );
      fc.assert(
        fc.property(damaged, (value) => {
          const data: unknown = JSON.parse(JSON.stringify(value));
          const before = JSON.stringify(data);
          const after = upcast(data);
          expect(JSON.parse(JSON.stringify(after))).to.deep.equal(after);
          expect(JSON.stringify(data)).to.equal(before);
          readKeptEvent({ type, schemaVersion: from, data });
        }),
      );
    });
  }

  it('of the type AllProductsAdjusted are not read in the shape of another version', () => {
    const data = { adjustments: { USD: null } };
    expect(E.isRight(readKeptEvent({ type: 'AllProductsAdjusted', schemaVersion: 1, data }))).to.equal(true);
    expect(E.isRight(readKeptEvent({ type: 'AllProductsAdjusted', schemaVersion: 2, data }))).to.equal(false);
  });
});
