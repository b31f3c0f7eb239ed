/** Saves what the service answers as a file, however long it is. The key goes in a header, so no link could do it. */
import { type Answer, UNREACHABLE } from '../../api/client';

/** @param onBytes called with the bytes received so far. */
export const collect = async (
  answer: Answer<ReadableStream<Uint8Array<ArrayBuffer>>>,
  onBytes: (bytes: number) => void,
): Promise<Answer<Blob>> => {
  if (!answer.ok) return answer;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = answer.data.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      bytes += value.length;
      onBytes(bytes);
    }
  } catch {
    // The service breaks an answer off that it cannot complete: half a file must not look like a whole one.
    return {
      ok: false,
      problem: { ...UNREACHABLE, title: 'The download broke off', detail: 'No file was saved. Try again.' },
    };
  }
  return { ok: true, data: new Blob(parts, { type: 'text/csv' }), response: answer.response };
};

export const saveAs = (file: Blob, name: string): void => {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
};

/** A name that any system takes for a file. */
export const fileNameOf = (...words: readonly string[]): string =>
  `${words
    .map((word) => word.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, ''))
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 100)}.csv`;
