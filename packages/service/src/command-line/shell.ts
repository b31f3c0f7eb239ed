/** The process that a command runs in, as far as the command uses it. Tests pass their own. */
import type { Readable, Writable } from 'node:stream';
import { stopSignal } from './stop-signal';

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Shell {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: Readable & { readonly isTTY?: boolean; readonly fd?: number };
  /** Holds what was asked for and nothing else. */
  readonly output: Writable & Terminal;
  /** Holds everything else that is said. */
  readonly errors: Writable & Terminal;
  /** A command that can stop in order asks for this once: aborted by the first signal to stop. */
  readonly stopSignal: () => AbortSignal;
  readonly exit: (status: number) => void;
}

export const processShell: Shell = {
  environment: process.env,
  // Standard input is opened where it is used.
  get input() {
    return process.stdin;
  },
  output: process.stdout,
  errors: process.stderr,
  stopSignal,
  exit: (status) => process.exit(status),
};
