import fs from 'node:fs';
import path from 'node:path';
import { openEnvironment } from '../environment';
import { liveFile } from '../live-file';
import { openTables } from '../read-model-tables';

/** The names of all read models of which anything is left in a folder. */
export const readModelsIn = (folder: string): readonly string[] => {
  const files = fs
    .readdirSync(folder)
    .filter((file) => /^read-model.*\.(mdb|mdb-lock|state|next|new)$/.test(file));
  return [...new Set(files.map((file) => file.replace(/\.(mdb-lock|state|state\.new)$/, '.mdb')))];
};

/** All that the live read model of a folder keeps, by table and key; to be compared entry by entry. */
export const dumpReadModel = async (
  folder: string,
): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> => {
  const opened = openEnvironment({ file: path.join(folder, liveFile(folder)), readOnly: true }, openTables);
  try {
    const { kept, requests } = opened.held;
    const all = { ...kept, requests: requests.table };
    const tables = Object.entries(all).map(([name, table]) => {
      const entries = [...table.getRange({})].map(({ key, value }) => [key.toString('hex'), value] as const);
      return [name, Object.fromEntries<unknown>(entries)] as const;
    });
    return Object.fromEntries(tables);
  } finally {
    await opened.close();
  }
};
