/** A load of reads by a client that costs little, so that it is the service that is measured. */
import net, { type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

interface Reads {
  /** Answers a second. */
  readonly rate: number;
  /** Answers that were no success, and connections that were closed. */
  readonly failed: number;
}

/** The length of the first answer in a text that begins with one; undefined where it has not come whole. */
const lengthOfAnswer = (text: string): number | undefined => {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const body = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  const length = head + '\r\n\r\n'.length + body;
  return text.length < length ? undefined : length;
};

/** Asks the same over all connections, each as soon as it is answered. */
export const read = async (
  port: number,
  request: string,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<Reads> => {
  let answered = 0;
  let failed = 0;
  let isOver = false;

  const open = (): Socket => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(request));
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      text += piece;
      const length = lengthOfAnswer(text);
      if (length === undefined) return;
      if (text.startsWith('HTTP/1.1 200 ')) answered += 1;
      else failed += 1;
      text = text.slice(length);
      socket.write(request);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (!isOver) failed += 1;
    });
    return socket;
  };

  const started = performance.now();
  const sockets = Array.from({ length: connections }, open);
  await delay(seconds * 1_000);
  isOver = true;
  for (const socket of sockets) socket.destroy();
  return { rate: answered / ((performance.now() - started) / 1_000), failed };
};
