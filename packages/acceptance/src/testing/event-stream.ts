/** A client of server-sent events, as the WHATWG HTML standard (section 9.2.6) says that one reads them. */
import http from 'node:http';
import { TEST_KEY } from './test-service';

interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
}

export interface EventStream {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** All that were complete so far. */
  readonly events: () => readonly StreamedEvent[];
  readonly lastId: () => string;
  readonly comments: () => number;
  /** Settles when it is over: whether it was ended in order. */
  readonly ended: Promise<boolean>;
  readonly close: () => void;
}

/** Reads blocks of lines; what is not ended by an empty line counts for nothing. */
const createReader = () => {
  const events: StreamedEvent[] = [];
  let comments = 0;
  let rest = '';
  let [lastId, id, type, data] = ['', '', '', ''];

  const readLine = (line: string): void => {
    if (line === '') {
      lastId = id;
      if (data !== '') events.push({ id, type, data: JSON.parse(data.slice(0, -1)) });
      [type, data] = ['', ''];
      return;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === '') comments += 1;
    else if (field === 'id') id = value;
    else if (field === 'event') type = value;
    else if (field === 'data') data += `${value}\n`;
    else if (field !== 'retry') throw new Error(`no client knows the field ${field}`);
  };

  return {
    events: () => events,
    comments: () => comments,
    lastId: () => lastId,
    read: (text: string): void => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(readLine);
    },
  };
};

interface StreamOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection is cut when so many bytes of the body have come. */
  readonly cutAfter?: number;
}

/** Opens a stream; settles when its head has come. */
export const openEventStream = (
  url: string,
  { headers = {}, cutAfter = Infinity }: StreamOptions = {},
): Promise<EventStream> =>
  new Promise((resolve, reject) => {
    const request = http.get(url, {
      agent: false,
      headers: { 'x-api-key': TEST_KEY, accept: 'text/event-stream', ...headers },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const reader = createReader();
      const decoder = new TextDecoder();
      let bytes = 0;
      const ended = new Promise<boolean>((settle) => {
        response.on('close', () => {
          settle(response.complete);
        });
      });
      // What has come counts, also where the connection is reset.
      response.on('error', () => undefined);
      response.on('data', (chunk: Buffer) => {
        const taken = chunk.subarray(0, cutAfter - bytes);
        bytes += taken.length;
        reader.read(decoder.decode(taken, { stream: true }));
        if (bytes >= cutAfter) response.destroy();
      });
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        events: reader.events,
        lastId: reader.lastId,
        comments: reader.comments,
        ended,
        close: () => response.destroy(),
      });
    });
  });
