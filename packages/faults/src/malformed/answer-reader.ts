/** Reads the answers of HTTP/1.1 that come on a connection, one after the other. */
export interface RawAnswer {
  readonly status: number;
  /** The status line and the headers, in lower case. */
  readonly head: string;
  readonly body: string;
}

export interface AnswerReader {
  /** Takes bytes, one character a byte; gives the answers that are whole with them. */
  readonly take: (bytes: string) => readonly RawAnswer[];
  /** What has come of an answer that is not whole. */
  readonly rest: () => string;
}

const HEAD_END = '\r\n\r\n';

/** @param isHead whether the nth request was one whose answer has no body. */
export const createAnswerReader = (isHead: (n: number) => boolean): AnswerReader => {
  let rest = '';
  let count = 0;

  const next = (): RawAnswer | undefined => {
    const end = rest.indexOf(HEAD_END);
    if (end < 0) return undefined;
    const head = rest.slice(0, end).toLowerCase();
    const status = Number(/^http\/1\.1 (\d{3}) /.exec(head)?.[1] ?? Number.NaN);
    const isInterim = status < 200;
    const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
    const hasBody = !isInterim && status !== 204 && status !== 304 && !isHead(count);
    const from = end + HEAD_END.length;
    const to = from + (hasBody ? length : 0);
    if (rest.length < to) return undefined;
    const body = rest.slice(from, to);
    rest = rest.slice(to);
    if (!isInterim) count += 1;
    return { status, head, body };
  };

  return {
    take: (bytes) => {
      rest += bytes;
      const answers: RawAnswer[] = [];
      for (let answer = next(); answer !== undefined; answer = next()) {
        // 100 Continue is not yet the answer.
        if (!(answer.status < 200)) answers.push(answer);
      }
      return answers;
    },
    rest: () => rest,
  };
};
