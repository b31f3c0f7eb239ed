/** The configuration: environment variables, read once and checked whole. */
import * as E from 'fp-ts/Either';

export interface Configuration {
  readonly port: number;
  readonly host: string;
  /** The folder of the embedded stores. */
  readonly dataFolder: string;
  /** Accepted as an admin key while set. */
  readonly bootstrapKey: string | undefined;
  readonly logLevel: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MAX_PORT = 65_535;

const visibleAscii = /^[\x21-\x7e]{16,}$/;

/** @returns every fault, each with the name of its variable. */
export const readConfiguration = (environment: Environment): E.Either<readonly string[], Configuration> => {
  const faults: string[] = [];
  /** An empty variable is an absent one. */
  const value = (name: string): string | undefined =>
    environment[name] === '' ? undefined : environment[name];

  const portText = value('PORT') ?? '3000';
  const port = Number(portText);
  if (!/^\d+$/.test(portText) || port > MAX_PORT) {
    faults.push(`PORT must be a whole number from 0 to ${String(MAX_PORT)}`);
  }
  const bootstrapKey = value('PRICEBOOK_BOOTSTRAP_KEY');
  if (bootstrapKey !== undefined && !visibleAscii.test(bootstrapKey)) {
    faults.push('PRICEBOOK_BOOTSTRAP_KEY must have 16 or more visible ASCII characters');
  }
  const logLevel = value('LOG_LEVEL') ?? 'info';
  if (!LOG_LEVELS.includes(logLevel)) faults.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);

  return faults.length > 0
    ? E.left(faults)
    : E.right({
        port,
        host: value('HOST') ?? '127.0.0.1',
        dataFolder: value('PRICEBOOK_DATA_DIR') ?? './data',
        bootstrapKey,
        logLevel,
      });
};
