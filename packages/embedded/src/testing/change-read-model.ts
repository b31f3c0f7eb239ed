import path from 'node:path';
import { openEnvironment } from '../environment';
import { identityOf, openToRead } from '../event-file';
import { EVENTS_FILE } from '../files';
import { liveFile } from '../live-file';
import { VERSION } from '../read-model';
import { readModelState } from '../read-model-state';
import { openTables, type Tables } from '../read-model-tables';

/** Changes what the live read model of a folder holds, as no event has; while no service uses it; it is trusted as before. */
export const changeReadModel = async (
  folder: string,
  change: (tables: Tables['kept'] & Pick<Tables, 'productBooks'>) => void,
): Promise<void> => {
  const file = path.join(folder, liveFile(folder));
  const { environment, held, close } = openEnvironment({ file, readOnly: false }, openTables);
  environment.transactionSync(() => {
    change({ ...held.kept, productBooks: held.productBooks });
  });
  await close();
  const events = path.join(folder, EVENTS_FILE);
  const database = openToRead(events);
  readModelState(file, VERSION, identityOf(database, events)).markClosed();
  database.close();
};
