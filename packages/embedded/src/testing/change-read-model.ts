import path from 'node:path';
import { openEnvironment } from '../environment';
import { liveFile } from '../live-file';
import { openTables, type Tables } from '../read-model-tables';

/** Changes what the live read model of a folder holds, as no event has; while nobody serves the folder. */
export const changeReadModel = async (
  folder: string,
  change: (tables: Tables['kept']) => void,
): Promise<void> => {
  const file = path.join(folder, liveFile(folder));
  const { environment, held, close } = openEnvironment(
    { file, readOnly: false, isDurable: false },
    openTables,
  );
  environment.transactionSync(() => {
    change(held.kept);
  });
  await close();
};
