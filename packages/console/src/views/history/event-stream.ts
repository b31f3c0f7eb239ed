/** Server-sent events of the WHATWG HTML standard (section 9.2), read from the body of an answer. */

/** An event, or an id alone, which says where to go on. */
export interface StreamEvent {
  readonly id: string | undefined;
  readonly data: string | undefined;
}

const eventOf = (block: string): StreamEvent => {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name, value] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const before = name === 'data' ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  return { id: fields.get('id'), data: fields.get('data') };
};

/** The rest of what is read, unless nothing comes for too long. */
const readWithin = async (
  reader: ReadableStreamDefaultReader<Uint8Array>,
  ms: number,
): Promise<Uint8Array | undefined> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  const read = reader.read().then(({ value }) => value);
  // Where it comes too late, it is not needed any more.
  read.catch(() => undefined);
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * The events, those that come together in one array.
 *
 * @param silenceMs after so long without a sign of life the stream counts as ended.
 */
export const eventsIn = async function* (
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<readonly StreamEvent[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const bytes = await readWithin(reader, silenceMs);
      if (bytes === undefined) return;
      rest += decoder.decode(bytes, { stream: true });
      const end = rest.lastIndexOf('\n\n');
      if (end === -1) continue;
      const blocks = rest.slice(0, end).split('\n\n');
      rest = rest.slice(end + 2);
      yield blocks.map(eventOf);
    }
  } finally {
    // A closed connection cannot be told that it is not read any more.
    reader.cancel().catch(() => undefined);
  }
};
