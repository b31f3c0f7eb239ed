/**
 * Golden files: events as they have been kept, `<Type>.v<version>.json` for each type and each version of it. They
 * are never changed once a version is out; what they hold must stay readable for ever.
 */
import fs from 'node:fs';
import path from 'node:path';

/** As in the store. */
interface GoldenEvent {
  readonly type: string;
  readonly data: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface Golden {
  readonly kept: GoldenEvent;
  /** What an event of an older version reads as today; one of the current version reads as it is. */
  readonly readsAs: Pick<GoldenEvent, 'type' | 'data'>;
}

interface GoldenJson {
  readonly kept: GoldenEvent;
  readonly readsAs?: Golden['readsAs'];
}

/** They stand beside the sources: nothing copies them to where the tests are compiled to. */
const folder = path.resolve(__dirname, '../../src/price-book/golden');

export const goldenFile = (type: string, version: number): string => `${type}.v${String(version)}.json`;

export const goldenFiles = (): readonly string[] => fs.readdirSync(folder).sort();

export const readGolden = (file: string): readonly Golden[] => {
  const text = fs.readFileSync(path.join(folder, file), 'utf8');
  return (JSON.parse(text) as readonly GoldenJson[]).map(
    ({ kept, readsAs = { type: kept.type, data: kept.data } }) => ({ kept, readsAs }),
  );
};
