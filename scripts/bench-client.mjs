/**
 * A client that costs little, so that it is the server that is measured: requests are put together before a run, and
 * of answers only the status and the length are read.
 */
import net from 'node:net';
import { createHistogram } from 'node:perf_hooks';

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('ontent-Length: ');
const LINE_END = 0x0d;

/** A request as it goes over the wire. */
export const render = ({ method = 'GET', path, headers = {}, body }) => {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const all = {
    host: '127.0.0.1',
    ...headers,
    ...(text !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text ?? ''}`);
};

const digits = (bytes, from, to) => {
  let number = 0;
  for (let at = from; at < to; at += 1) number = number * 10 + bytes[at] - 0x30;
  return number;
};

/** Where the first answer ends, and its status; undefined where it has not come whole. */
const answerIn = (bytes) => {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const status = digits(bytes, 9, 12);
  const lengthAt = bytes.indexOf(LENGTH);
  const hasBody = lengthAt >= 0 && lengthAt < headEnd;
  const from = lengthAt + LENGTH.length;
  const length = hasBody ? digits(bytes, from, bytes.indexOf(LINE_END, from)) : 0;
  const end = headEnd + HEAD_END.length + length;
  return bytes.length < end ? undefined : { status, end };
};

/**
 * Asks over all connections, each as soon as it is answered.
 *
 * @param requests rendered; they are sent in turns.
 * @param perSecond how many are asked; absent: each connection asks as soon as it is answered. What comes late counts
 *   as waiting.
 * @returns requests a second, latencies in milliseconds, and how many answers were not of 2xx.
 */
export const load = async (address, { connections, seconds, requests, perSecond }) => {
  let n = 0;
  const next = () => requests[(n += 1) % requests.length];
  const { hostname, port } = new URL(address);
  const latencies = createHistogram();
  let answered = 0;
  let refused = 0;
  let isOver = false;
  const started = performance.now();
  let issued = 0;

  const connection = () =>
    new Promise((resolve, reject) => {
      const socket = net.connect(Number(port), hostname);
      socket.setNoDelay(true);
      let sent = 0;
      let pending;
      const send = () => {
        if (isOver) return socket.end();
        if (perSecond === undefined) {
          sent = performance.now();
          socket.write(next());
          return undefined;
        }
        const due = started + (issued * 1_000) / perSecond;
        issued += 1;
        const wait = due - performance.now();
        const go = () => {
          if (isOver) return socket.end();
          sent = due;
          return socket.write(next());
        };
        if (wait <= 1) go();
        else setTimeout(go, wait);
        return undefined;
      };
      socket.on('connect', send);
      socket.on('data', (chunk) => {
        const bytes = pending === undefined ? chunk : Buffer.concat([pending, chunk]);
        const answer = answerIn(bytes);
        if (answer === undefined) {
          pending = bytes;
          return;
        }
        pending = undefined;
        latencies.record(Math.max(1, Math.round((performance.now() - sent) * 1_000)));
        answered += 1;
        if (answer.status < 200 || answer.status > 299) refused += 1;
        send();
      });
      socket.on('error', reject);
      socket.on('close', resolve);
    });

  const timer = setTimeout(() => {
    isOver = true;
  }, seconds * 1_000);
  await Promise.all(Array.from({ length: connections }, connection));
  clearTimeout(timer);
  const took = (performance.now() - started) / 1_000;
  return {
    rate: answered / took,
    p50: latencies.percentile(50) / 1_000,
    p99: latencies.percentile(99) / 1_000,
    refused,
  };
};

// As a process of its own: see `loadElsewhere`.
if (process.send !== undefined) {
  process.once('message', async ({ address, how }) => {
    process.send(await load(address, how));
  });
}
