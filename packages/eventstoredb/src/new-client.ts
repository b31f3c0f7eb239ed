/** Makes clients without giving away their URL, which may hold a password: what the client says of it goes to logs. */
import { EventStoreDBClient } from '@eventstore/db-client';
import { guardClient } from './client-guard';

/* eslint-disable no-console -- The client warns there, and nowhere else. */

/** Where it does not like an option, the client quotes the whole URL on lines of their own. */
const quotedUrl = /\n\s*esdb(?:\+discover)?:\/\/[^]*$/;

/** Does something with what it warns of said without the URL. */
const withoutQuotes = <A>(work: () => A): A => {
  const { warn } = console;
  console.warn = (message: unknown) => {
    warn(String(message).replace(quotedUrl, ''));
  };
  try {
    return work();
  } finally {
    console.warn = warn;
  }
};

/** What the client says of a URL that it cannot read quotes the place, which may be in the password. */
const malformed = (failure: unknown): Error => {
  const expected =
    typeof failure === 'object' && failure !== null && 'expected' in failure ? String(failure.expected) : '';
  return new Error(`the URL of EventStoreDB is malformed${expected === '' ? '' : `: expected ${expected}`}`);
};

/** @throws Error where the URL is malformed. */
export const newClient = (url: string): EventStoreDBClient => {
  try {
    return guardClient(withoutQuotes(() => EventStoreDBClient.connectionString(url)));
  } catch (failure) {
    throw malformed(failure);
  }
};
