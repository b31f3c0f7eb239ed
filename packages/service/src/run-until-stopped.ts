/**
 * Runs what serves until it is told to stop. Programs read standard output, where each line is JSON; people read
 * standard error. The start, and why it failed, is in both.
 */
import { version } from '@pricebook/http';
import * as E from 'fp-ts/Either';
import pino from 'pino';
import { say } from './command-line/command';
import { processShell } from './command-line/shell';
import { onStopSignal } from './command-line/stop-signal';
import { readConfiguration } from './configuration';
import type { RunningService } from './serve';
import type { StoreOptions } from './stores';

/** Within 10 s of the first signal it is over: stores that do not answer are not waited for. */
const STOP_MS = 9_500;

/**
 * Starts what the environment configures, and ends the process where that fails.
 *
 * @returns what runs, once it is ready.
 */
export const runUntilStopped = async (
  environment: NodeJS.ProcessEnv,
  start: (options: StoreOptions) => Promise<RunningService>,
): Promise<RunningService> => {
  const configuration = readConfiguration(environment);
  const logger = pino({ level: E.isRight(configuration) ? configuration.right.logLevel : 'info' });
  const fail = (reason: string): never => {
    logger.fatal({ version, reason }, 'the start failed');
    say(processShell, reason);
    process.exit(1);
  };
  if (E.isLeft(configuration)) return fail(configuration.left.join('\n'));
  // A process that goes on after a defect could answer wrongly, and lmdb can hang an ordinary exit while a
  // commit is under way; what was acknowledged is on disk.
  process.on('uncaughtException', (defect) => {
    logger.fatal({ err: defect }, 'the service met a defect and ends');
    process.kill(process.pid, 'SIGKILL');
  });
  const stopping = new AbortController();
  onStopSignal(() => {
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
        () => {
          logger.info('stopped');
          process.exit(0);
        },
        (failure: unknown) => {
          logger.fatal({ err: failure }, 'the service could not stop in order');
          process.kill(process.pid, 'SIGKILL');
        },
      );
  });

  const starting: Promise<RunningService> = start({
    configuration: configuration.right,
    logger,
    signal: stopping.signal,
  }).catch((failure: unknown) => {
    // A start that is told to stop while it waits for a server has stopped in order.
    if (stopping.signal.aborted) process.exit(0);
    return fail(failure instanceof Error ? failure.message : String(failure));
  });
  const service = await starting;
  logger.info({ version, address: service.address }, 'ready');
  return service;
};
