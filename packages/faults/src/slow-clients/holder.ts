/**
 * A process that holds connections without using them as they are meant: idle ones, and ones whose headers, bodies or
 * reading are slow. What the service drops is opened anew. Arguments: port, key, book, idle connections, slow ones.
 */
import net, { type Socket } from 'node:net';

const [port, key = '', book = '', idle, slow] = process.argv.slice(2);

/** How often the slow ones send, or read, a little. */
const PACE_MS = 1_000;
/** After it was dropped. */
const AGAIN_MS = 1_000;
const LARGE = 1024 * 1024;

const path = `/v1/pricebooks/${book}`;
const head = (...lines: readonly string[]): string =>
  [...lines, 'Host: x', `x-api-key: ${key}`, 'Content-Type: application/json', ''].join('\r\n');

interface Behaviour {
  /** At the beginning. */
  readonly begin: (socket: Socket) => void;
  /** Now and then. */
  readonly goOn: (socket: Socket) => void;
}

const asksOnce: Behaviour = {
  begin: (socket) => {
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.resume();
  },
  goOn: () => undefined,
};

const slowBehaviours: readonly Behaviour[] = [
  {
    begin: (socket) => socket.write('GET / HTTP/1.1\r\nx-slow: '),
    goOn: (socket) => socket.write('x'),
  },
  {
    begin: (socket) =>
      socket.write(`${head(`PUT ${path}/prices HTTP/1.1`, `Content-Length: ${String(LARGE)}`)}\r\n[`),
    goOn: (socket) => socket.write(' '),
  },
  {
    // More than all buffers on the way take.
    begin: (socket) => socket.write(`${head('GET /v1/pricebooks HTTP/1.1')}\r\n`.repeat(6)),
    // Without ever taking all that is there.
    goOn: (socket) => {
      socket.read(1);
    },
  },
];

let opened = 0;
const wanted = Number(idle) + Number(slow);

const hold = (behaviour: Behaviour): void => {
  let pace: NodeJS.Timeout | undefined;
  const socket = net.connect(Number(port), '127.0.0.1', () => {
    opened += 1;
    behaviour.begin(socket);
    pace = setInterval(() => {
      behaviour.goOn(socket);
    }, PACE_MS);
    if (opened === wanted) process.stdout.write('holding\n');
  });
  socket.on('error', () => undefined);
  socket.on('end', () => socket.destroy());
  socket.on('close', () => {
    clearInterval(pace);
    setTimeout(() => {
      hold(behaviour);
    }, AGAIN_MS);
  });
};

for (let n = 0; n < Number(idle); n += 1) hold(asksOnce);
for (let n = 0; n < Number(slow); n += 1) hold(slowBehaviours[n % slowBehaviours.length] ?? asksOnce);
