/** A client whose answers must not hang, fail, or go back in time. */
import { randomUUID } from 'node:crypto';
import type { Answer, Client } from '../client';

/** Nothing waits for longer than some 2 s, whatever the clock says; the rest is for a busy machine. */
const IN_TIME_MS = 8_000;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
}

export interface WatchedClient {
  readonly ask: (asked: Asked) => Promise<Answer & { readonly requestId: string }>;
  /** Finds a fault where a value is smaller than the one before under the same name. */
  readonly mustNotFall: (name: string, value: string | number | undefined) => void;
}

export const watch = (client: Client, tell: (fault: string) => void): WatchedClient => {
  const latest = new Map<string, string | number>();
  return {
    ask: async (asked) => {
      const requestId = randomUUID();
      const answer = await client.send({ ...asked, requestId });
      const what = `${asked.method} ${asked.path}`;
      if (answer.milliseconds > IN_TIME_MS) tell(`${what} took ${answer.milliseconds.toFixed(0)} ms`);
      if (answer.status >= 500) tell(`${what}: ${String(answer.status)} ${JSON.stringify(answer.body)}`);
      return { ...answer, requestId };
    },
    mustNotFall: (name, value) => {
      if (value === undefined) return;
      const before = latest.get(name);
      if (before !== undefined && value < before) tell(`${name} is ${String(value)} after ${String(before)}`);
      latest.set(name, value);
    },
  };
};
