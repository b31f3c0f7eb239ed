/**
 * A program that reads all that an LMDB file holds, and ends with status 0 where that can be read. It runs as a
 * process of its own: where pages are missing, the system ends it with a signal.
 *
 * Argument: the file.
 */
import { open } from 'lmdb';

const [path = ''] = process.argv.slice(2);
const environment = open({ path, noSubdir: true, readOnly: true });
for (const name of [...environment.getKeys()]) {
  const table = environment.openDB<Buffer, Buffer>(String(name), {
    keyEncoding: 'binary',
    encoding: 'binary',
  });
  let bytes = 0;
  // Values are copied as they are read, so every page of theirs is touched.
  for (const { value } of table.getRange({ snapshot: false })) bytes += value.length;
  process.stdout.write(`${String(name)}: ${String(bytes)} bytes\n`);
}
