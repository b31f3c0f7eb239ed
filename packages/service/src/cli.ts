/** The command line. */
import { Command } from 'commander';
import * as E from 'fp-ts/Either';
import pino from 'pino';
import { addAuditCommands } from './audit/commands';
import { addBackupCommands } from './backup/commands';
import { readConfiguration } from './configuration';
import { demo } from './demo/demo';
import { addHistoryCommands } from './history-file/commands';
import { addKeyCommands } from './keys/commands';
import { addPricesCommands } from './prices/commands';
import { project } from './project';
import { type RunningService, serve } from './serve';
import type { StoreOptions } from './stores';

/** Where the projector listens unless PORT says otherwise. */
const PROJECTOR_PORT = '3001';

/** Within 10 s of the first signal it is over: what stores that do not answer take to close is not waited for. */
const STOP_MS = 9_500;

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

const firstKeyNote = (key: string): string =>
  [
    '',
    'There was no API key yet, so one was issued, for all scopes. It is shown this once and kept only as a hash:',
    '',
    `  ${key}`,
    '',
    'Send it in the header x-api-key; for the demo: PRICEBOOK_KEY=<the key> npm run demo',
    '',
  ].join('\n');

/** Starts what runs until it is told to stop, and stops it in order when it is. */
const runUntilStopped = async (
  environment: NodeJS.ProcessEnv,
  start: (options: StoreOptions) => Promise<RunningService>,
): Promise<string> => {
  const configuration = readConfiguration(environment);
  if (E.isLeft(configuration)) return fail(configuration.left.join('\n'));
  const logger = pino({ level: configuration.right.logLevel });
  // A process that goes on after a defect could answer wrongly, and lmdb can hang an ordinary exit while a
  // commit is under way; what was acknowledged is on disk.
  process.on('uncaughtException', (defect) => {
    logger.fatal({ err: defect }, 'the service met a defect and ends');
    process.kill(process.pid, 'SIGKILL');
  });
  const stopping = new AbortController();
  const stop = (): void => {
    // A second signal ends the process at once.
    process.once('SIGTERM', () => process.kill(process.pid, 'SIGKILL'));
    process.once('SIGINT', () => process.kill(process.pid, 'SIGKILL'));
    stopping.abort();
    // Clients have their answers by then, or have lost their connections; what was acknowledged is kept.
    setTimeout(() => {
      logger.warn('the service ends without having closed everything in order');
      process.exit(0);
    }, STOP_MS).unref();
    // A start is not broken off: it may have issued the first key, which is to be shown.
    starting
      .then((service) => service.stop())
      .then(
        () => process.exit(0),
        (failure: unknown) => {
          logger.fatal({ err: failure }, 'the service could not stop in order');
          process.kill(process.pid, 'SIGKILL');
        },
      );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);

  const starting: Promise<RunningService> = start({
    configuration: configuration.right,
    logger,
    signal: stopping.signal,
  }).catch((failure: unknown) => {
    // Who is told to stop while it waits for a server has stopped in order.
    if (stopping.signal.aborted) process.exit(0);
    return fail(failure instanceof Error ? failure.message : String(failure));
  });
  return (await starting).address;
};

const runService = async (): Promise<void> => {
  const onFirstKey = (key: string): void => {
    print(firstKeyNote(key));
  };
  const address = await runUntilStopped(process.env, (options) => serve({ ...options, onFirstKey }));
  print(`The price book service is ready at ${address}/v1`);
};

const runProjector = async (): Promise<void> => {
  // A port of its own, so that it runs beside a service of the same machine.
  const address = await runUntilStopped({ PORT: PROJECTOR_PORT, ...process.env }, project);
  print(`The projector is ready at ${address}/health/ready`);
};

/** What is written holds every price and the hashes of keys: it is for the user, and the group where that may. */
const keepOthersOut = (): void => {
  process.umask(process.umask(0o077) | 0o007);
};

/** Runs the command that the arguments name. */
export const run = async (argv: readonly string[]): Promise<void> => {
  keepOthersOut();
  const program = new Command('pricebook').description('Price books over HTTP');
  program.command('serve').description('serve the HTTP API').action(runService);
  program
    .command('project')
    .description('run the projector, beside services whose PRICEBOOK_PROJECTOR is off')
    .action(runProjector);
  program
    .command('demo')
    .description('load a sample price list into a running service and show some prices')
    .option('--url <url>', 'the service', 'http://127.0.0.1:3000')
    .action(async (options: { readonly url: string }) => {
      await demo({
        url: options.url,
        // From the environment alone: everybody on the machine sees arguments.
        key: process.env['PRICEBOOK_KEY'],
        print,
        isTerminal: process.stdout.isTTY,
      }).catch((failure: unknown) => fail(failure instanceof Error ? failure.message : String(failure)));
    });
  addHistoryCommands(program);
  addAuditCommands(program);
  addBackupCommands(program);
  addKeyCommands(program);
  addPricesCommands(program);
  await program.parseAsync(argv);
};
