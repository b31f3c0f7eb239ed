/** Runs commands in the process of a test, with what they take from a process as parameters. */
import { Readable, Writable } from 'node:stream';
import { run } from '../cli';

export interface CommandRun {
  readonly status: number | null;
  /** What was asked for: standard output. */
  readonly output: string;
  /** What was said beside it: standard error. */
  readonly said: string;
}

const createSink = () => {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      pieces.push(piece);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(pieces).toString('utf8') };
};

/**
 * Runs `pricebook` with no other environment than the one given, and with an empty standard input.
 *
 * @param args such as `['keys', 'list']`.
 */
export const runCommand = async (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandRun> => {
  const [output, errors] = [createSink(), createSink()];
  let status = 0;
  await run(['node', 'pricebook', ...args], {
    environment,
    input: Readable.from([]),
    output: output.stream,
    errors: errors.stream,
    stopSignal: () => new AbortController().signal,
    exit: (code) => {
      status = code;
    },
  });
  return { status, output: output.text(), said: errors.text() };
};
