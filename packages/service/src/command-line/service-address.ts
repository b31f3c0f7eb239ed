/** Where a service answers, for the commands that ask one over HTTP. */
import { Option } from 'commander';
import type { Shell } from './shell';

/** The service of this machine whose port the same variable sets. */
const localService = (port = ''): string => `http://127.0.0.1:${port === '' ? '3000' : port}`;

export const urlOption = ({ environment }: Pick<Shell, 'environment'>): Option =>
  new Option('--url <url>', 'the service; PORT sets its port').default(localService(environment['PORT']));

/** Where clients of this machine find a service that listens on all its addresses. */
export const addressForClients = (address: string): string =>
  address.replace(/^http:\/\/(0\.0\.0\.0|\[::\])/, 'http://127.0.0.1');

/** The address without a path: `npm start` prints it with /v1, and either is understood. */
export const addressOf = (url: string): string => {
  const address = url.replace(/\/+$/, '').replace(/\/v1$/, '');
  if (!/^https?:\/\/./i.test(address) || !URL.canParse(address)) {
    throw new Error(`${JSON.stringify(url)} is not an address such as http://127.0.0.1:3000.`);
  }
  return address;
};

/** Why `fetch` got no answer: it hides that in the cause of its error. */
export const reasonOf = (failure: unknown): string => {
  const cause: unknown = failure instanceof Error ? (failure.cause ?? failure) : failure;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
};
