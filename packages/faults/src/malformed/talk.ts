/** Clients that send bytes as they are. */
import net from 'node:net';
import { createAnswerReader, type RawAnswer } from './answer-reader';
import type { HostileRequest } from './requests';

/** Nothing that these requests ask takes nearly so long. */
const HANG_MS = 10_000;

interface Exchange {
  readonly answers: readonly RawAnswer[];
  /** Whether the server neither answered nor closed the connection in time. */
  readonly hung: boolean;
}

/** Sends bytes over a connection of their own until so many answers have come, or the connection is closed. */
const exchange = (
  port: number,
  bytes: Buffer,
  isHead: (n: number) => boolean,
  answersDue: number,
): Promise<Exchange> =>
  new Promise((resolve) => {
    const reader = createAnswerReader(isHead);
    const answers: RawAnswer[] = [];
    const socket = net.connect(port, '127.0.0.1');
    let hung = false;
    const hang = setTimeout(() => {
      hung = true;
      socket.destroy();
    }, HANG_MS);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      hang.refresh();
      answers.push(...reader.take(text));
      if (answers.length >= answersDue) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(hang);
      resolve({ answers, hung });
    });
    if (answersDue === Infinity) socket.end(bytes);
    else socket.write(bytes);
  });

/** Sends what may be no HTTP, then nothing more: the server has to close the connection. */
export const sendBroken = (port: number, bytes: Buffer): Promise<Exchange> =>
  exchange(port, bytes, () => false, Infinity);

/** A request is tried so often where its connection ends before its answer: that of another may have ended it. */
const TRIES = 4;

export interface Asked {
  readonly request: HostileRequest;
  /** Undefined where there was none, although the connection was its own. */
  readonly answer: RawAnswer | undefined;
  readonly hung: boolean;
}

/** Sends requests in a row over as few connections as it takes, without waiting in between. */
export const sendPipelined = async (
  port: number,
  requests: readonly HostileRequest[],
): Promise<readonly Asked[]> => {
  const asked: Asked[] = [];
  let tries = 0;
  while (asked.length < requests.length) {
    // What has failed before goes alone, so that it is clear whose fault it is.
    const row = requests.slice(asked.length, tries === 0 ? undefined : asked.length + 1);
    const { answers, hung } = await exchange(
      port,
      Buffer.concat(row.map(({ bytes }) => bytes)),
      (n) => row[n]?.isHead === true,
      row.length,
    );
    row.slice(0, answers.length).forEach((request, n) => {
      asked.push({ request, answer: answers[n], hung: false });
    });
    tries = answers.length > 0 ? 0 : tries + 1;
    const [first] = row;
    if (tries >= TRIES && first !== undefined) {
      asked.push({ request: first, answer: undefined, hung });
      tries = 0;
    }
  }
  return asked;
};
