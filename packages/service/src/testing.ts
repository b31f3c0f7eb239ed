/** For the packages that test the whole service. */
import path from 'node:path';

export { type Configuration, readConfiguration } from './configuration';
export { demo } from './demo/demo';
export { readSample } from './demo/books';
export type { HistoryEvent } from './history-file/history-line';
export type { Imported } from './history-file/import-history';
export {
  alternating,
  created,
  exportText,
  historyOf,
  importText,
  priceSet,
  textOf,
} from './history-file/testing/histories';
export { openKeys } from './keys/open-keys';
export { listen } from './listen';
export { type RunningService, serve } from './serve';
export { createClosers, orThrow } from './stores';
export { systemClock, systemIds } from './system';
export { newFolder } from './testing/new-folder';
export { type CommandRun, runCommand } from './testing/run-command';

/** The program that `pricebook` runs. */
export const COMMAND = path.join(__dirname, 'main.js');
