/** The lines that `pricebook keys list` writes, of which none can do anything to a terminal. */
import type { ApiKeyView } from '@pricebook/application';
import { printable } from '../command-line/terminal';

const ID_WIDTH = 8;
const SCOPES_WIDTH = 'scopes'.length;
/** Times to the minute: when a key was last used is not known better. */
const TIME_WIDTH = '2026-11-21T07:20Z'.length;

const columns = (
  id: string,
  scopes: string,
  created: string,
  lastUsed: string,
  expires: string,
  name: string,
) =>
  [
    id.padEnd(ID_WIDTH),
    scopes.padEnd(SCOPES_WIDTH),
    created.padEnd(TIME_WIDTH),
    lastUsed.padEnd(TIME_WIDTH),
    expires.padEnd(TIME_WIDTH),
    name,
  ].join('  ');

export const KEYS_HEAD = columns('id', 'scopes', 'created', 'last used', 'expires', 'name');

const toMinute = (time: string): string => `${time.slice(0, TIME_WIDTH - 1)}Z`;

/** @param now ISO 8601, UTC. */
export const keyLine = (
  { id, name, scopes, createdAt, expiresAt, lastUsedAt }: ApiKeyView,
  now: string,
): string =>
  printable(
    columns(
      id,
      scopes.join(','),
      toMinute(createdAt),
      lastUsedAt === undefined ? 'never' : toMinute(lastUsedAt),
      expiresAt === undefined ? 'never' : expiresAt <= now ? 'expired' : toMinute(expiresAt),
      name,
    ),
  );
