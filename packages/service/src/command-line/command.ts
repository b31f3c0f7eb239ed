/** What the commands have in common that do something once and end. */
import * as E from 'fp-ts/Either';
import pino from 'pino';
import { readConfiguration } from '../configuration';
import { type Closers, createClosers, type StoreOptions } from '../stores';
import type { Shell } from './shell';

/** Says something to a person, beside what a command puts out. */
export const say = ({ errors }: Pick<Shell, 'errors'>, text: string): void => {
  errors.write(`${text}\n`);
};

/** The configuration as for the service. */
export const readOptions = ({ environment, errors, stopSignal }: Shell): StoreOptions => {
  const configuration = readConfiguration(environment);
  if (E.isLeft(configuration)) throw new Error(configuration.left.join('\n'));
  return {
    configuration: configuration.right,
    logger: pino({ level: configuration.right.logLevel }, errors),
    signal: stopSignal(),
  };
};

/**
 * Runs a command, closes what it opened, and ends the process with its status.
 *
 * @param failed the status where the command fails without saying one.
 */
export const finishing = async (
  shell: Shell,
  command: (closers: Closers) => Promise<boolean | number>,
  failed = 1,
): Promise<void> => {
  const closers = createClosers();
  let outcome: boolean | number = false;
  try {
    outcome = await command(closers);
  } catch (failure) {
    say(shell, failure instanceof Error ? failure.message : String(failure));
  } finally {
    await closers.closeAll();
  }
  // What a server never answered would keep the process; what was written has been waited for.
  shell.exit(typeof outcome === 'number' ? outcome : outcome ? 0 : failed);
};
