/**
 * The progress of webhooks in a small SQLite file of the data folder, which is there once there is a webhook. One
 * process serves the folder, so the right to deliver is a matter of this process alone.
 */
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  createLocalClaims,
  type DeadLetter,
  type StoreError,
  type WebhookProgress,
  type WebhookProgressStore,
} from '@pricebook/application';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { Damage, toStoreError } from './damage';
import { WEBHOOKS_FILE } from './files';
import { asFileDamage } from './sqlite-failure';

export interface EmbeddedWebhookProgress extends WebhookProgressStore {
  readonly close: () => void;
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS progress (webhook TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS dead_letters (
  webhook TEXT NOT NULL,
  id TEXT NOT NULL,
  json TEXT NOT NULL,
  PRIMARY KEY (webhook, id)
) STRICT, WITHOUT ROWID;
`;

const open = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file);
  try {
    // Not synced at each commit: what a loss of power takes away is delivered again.
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${SCHEMA}`);
    return database;
  } catch (failure) {
    database.close();
    throw asFileDamage(file, failure);
  }
};

const STATEMENTS = {
  read: 'SELECT json FROM progress WHERE webhook = ?',
  save: 'INSERT OR REPLACE INTO progress (webhook, json) VALUES (?, ?)',
  bury: 'INSERT OR REPLACE INTO dead_letters (webhook, id, json) VALUES (?, ?, ?)',
  letters: 'SELECT json FROM dead_letters WHERE webhook = ? AND id > ? ORDER BY id LIMIT ?',
  letter: 'SELECT json FROM dead_letters WHERE webhook = ? AND id = ?',
  removeLetter: 'DELETE FROM dead_letters WHERE webhook = ? AND id = ?',
  removeLetters: 'DELETE FROM dead_letters WHERE webhook = ?',
  remove: 'DELETE FROM progress WHERE webhook = ?',
} as const;

/**
 * @param folder the process must hold its lock.
 * @param report told where the file is damaged: it is moved aside, and messages are delivered again.
 */
export const openEmbeddedWebhookProgress = (
  folder: string,
  report: (message: string) => void,
): EmbeddedWebhookProgress => {
  const file = path.join(folder, WEBHOOKS_FILE);
  const { claim, release, isLatest } = createLocalClaims();
  let database: DatabaseSync | undefined;

  const opened = (): DatabaseSync => {
    if (database !== undefined) return database;
    try {
      database = open(file);
    } catch (failure) {
      if (!(failure instanceof Damage)) throw failure;
      const aside = `${file}.damaged`;
      fs.renameSync(file, aside);
      for (const rest of ['-wal', '-shm']) fs.rmSync(file + rest, { force: true });
      report(`${file} was damaged and is now ${aside}: webhooks begin again with their first events`);
      database = open(file);
    }
    return database;
  };

  const task = <A>(act: (database: DatabaseSync) => A): TE.TaskEither<StoreError, A> =>
    TE.fromIOEither(() =>
      E.tryCatch(
        () => act(opened()),
        (failure) => toStoreError(file, asFileDamage(file, failure)),
      ),
    );

  const run = (statement: keyof typeof STATEMENTS, ...values: readonly string[]) =>
    task((found) => {
      found.prepare(STATEMENTS[statement]).run(...values);
    });
  /** The JSON of the rows is what was written to them. */
  const all = <A>(statement: keyof typeof STATEMENTS, ...values: readonly (string | number)[]) =>
    task((found) =>
      found
        .prepare(STATEMENTS[statement])
        .all(...values)
        .map(({ json }) => JSON.parse(String(json)) as A),
    );
  const first = <A>(statement: keyof typeof STATEMENTS, ...values: readonly string[]) =>
    TE.map((rows: readonly A[]) => rows[0])(all<A>(statement, ...values));

  return {
    claim,
    release,
    read: (webhookId) => first<WebhookProgress>('read', webhookId),
    save: (webhookId, progress, token) =>
      isLatest(token)
        ? TE.map(() => true)(run('save', webhookId, JSON.stringify(progress)))
        : TE.right(false),
    bury: (webhookId, letter) => run('bury', webhookId, letter.id, JSON.stringify(letter)),
    deadLetters: (webhookId, after = '', limit) => all<DeadLetter>('letters', webhookId, after, limit),
    deadLetter: (webhookId, id) => first<DeadLetter>('letter', webhookId, id),
    removeDeadLetter: (webhookId, id) => run('removeLetter', webhookId, id),
    forget: (webhookId) => TE.chain(() => run('removeLetters', webhookId))(run('remove', webhookId)),
    close: () => {
      database?.close();
      database = undefined;
    },
  };
};
