/**
 * The stand-in as a process of its own, for tests that kill or stop it. Says `ready at <connection string>`.
 *
 * Arguments: `--port`, `--data-file`.
 */
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { startStandIn } from './stand-in';

const CHECK_PARENT_MILLISECONDS = 500;

const { values } = parseArgs({ options: { port: { type: 'string' }, 'data-file': { type: 'string' } } });
const parent = process.ppid;

// Tests that are killed themselves leave none behind.
setInterval(() => {
  if (process.ppid !== parent) process.exit();
}, CHECK_PARENT_MILLISECONDS).unref();

const run = async (): Promise<void> => {
  const { url } = await startStandIn({
    ...(values.port === undefined ? {} : { port: Number(values.port) }),
    ...(values['data-file'] === undefined ? {} : { dataFile: values['data-file'] }),
  });
  fs.writeSync(1, `ready at ${url}\n`);
};

void run();
