/** What the commands have in common that do something once and end. */
import * as E from 'fp-ts/Either';
import pino from 'pino';
import { readConfiguration } from '../configuration';
import { stopSignal } from './stop-signal';
import { type Closers, createClosers, type StoreOptions } from '../stores';

/** Standard output holds what was asked for: everything else is said on standard error. */
export const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** The configuration as for the service. */
export const readOptions = (): StoreOptions => {
  const configuration = readConfiguration(process.env);
  if (E.isLeft(configuration)) throw new Error(configuration.left.join('\n'));
  return {
    configuration: configuration.right,
    logger: pino({ level: configuration.right.logLevel }, pino.destination({ dest: 2, sync: true })),
    signal: stopSignal(),
  };
};

/**
 * Runs a command, closes what it opened, and ends the process with its status.
 *
 * @param failed the status where the command fails without saying one.
 */
export const finishing = async (
  command: (closers: Closers) => Promise<boolean | number>,
  failed = 1,
): Promise<void> => {
  const closers = createClosers();
  let outcome: boolean | number = false;
  try {
    outcome = await command(closers);
  } catch (failure) {
    say(failure instanceof Error ? failure.message : String(failure));
  } finally {
    await closers.closeAll();
  }
  // What a server never answered would keep the process; what was written has been waited for.
  process.exit(typeof outcome === 'number' ? outcome : outcome ? 0 : failed);
};
