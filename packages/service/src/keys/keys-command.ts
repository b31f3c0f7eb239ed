/** `pricebook keys`: creates, lists, renames and revokes keys in the stores themselves, whether a service runs on them or not. */
import {
  type RegisterCaller,
  type ApiKeyCommandError,
  type ApiKeys,
  createApiKeyRegister,
  createApiKeys,
  issueApiKeyCodec,
  type KeyUses,
  renameApiKeyCodec,
} from '@pricebook/application';
import { faultsOf, sentenceOf } from '@pricebook/domain';
import { apiKeyBody, issuedKeyBody } from '@pricebook/http';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { finishing, readOptions, say } from '../command-line/command';
import { patiently, STORE_PATIENCE_MS } from '../command-line/patience';
import { storeSentence } from '../command-line/sentences';
import type { Shell } from '../command-line/shell';
import { printable } from '../command-line/terminal';
import { toStream } from '../history-file/export-target';
import { type Closers, openEventStoreAlone, openKeyUses, type StoreOptions } from '../stores';
import { systemClock, systemIds } from '../system';
import { keyLine, KEYS_HEAD } from './key-lines';

const failureSentence = (error: ApiKeyCommandError): string => {
  switch (error._tag) {
    case 'ApiKeyNotFound':
      return 'No key that is not revoked has this id.';
    case 'ExpiryInThePast':
      return '--expires must be in the future.';
    case 'LastAdminKey':
      return 'This is the last key of the scope admin: without it nobody could create keys. Create another one first.';
    case 'TooManyConflicts':
      return 'Too many others change keys at the same time. Try again.';
    case 'AppendTooLarge':
      return `The event store takes ${String(error.maxBytes)} bytes at once, and this has ${String(error.bytes)}.`;
    case 'UndecodableEvent':
      return (
        `This version cannot read revision ${String(error.revision)} of ${error.stream}: ${error.reason}. ` +
        'Until it can, keys are revoked but none are created or renamed.'
      );
    case 'StoreReadsOnly':
    case 'StoreDamaged':
    case 'StoreUnavailable':
      return storeSentence(error);
  }
};

interface OpenKeys {
  readonly apiKeys: ApiKeys;
  readonly options: StoreOptions;
  readonly caller: RegisterCaller;
}

/** No uses: for commands that do not show any. */
const none: Pick<KeyUses, 'readAll'> = { readAll: TE.right(new Map<string, string>()) };

const open = async (shell: Shell, use: 'read' | 'append', closers: Closers): Promise<OpenKeys> => {
  const options = readOptions(shell);
  const { eventStore } = await openEventStoreAlone(use, options, closers);
  const uses = use === 'read' ? await openKeyUses(options, closers) : none;
  const apiKeys = createApiKeys({
    eventStore,
    register: createApiKeyRegister(eventStore),
    lastUses: uses.readAll,
    clock: systemClock,
    ids: systemIds,
    hasBootstrapKey: options.configuration.bootstrapKey !== undefined,
  });
  return { apiKeys, options, caller: { actor: 'cli', requestId: systemIds.newCommandId() } };
};

/** What comes of a command; false where it was refused, and it is said why. */
const done = <A>(shell: Shell, outcome: E.Either<ApiKeyCommandError, A>): outcome is E.Right<A> => {
  if (E.isLeft(outcome)) say(shell, failureSentence(outcome.left));
  return E.isRight(outcome);
};

export interface CreateArguments {
  readonly name: string;
  readonly scope: readonly string[];
  readonly expires?: string;
  readonly json?: boolean;
}

/** Which option a pointer into the body of the request is about. */
const optionOf = (pointer: string): string => {
  const [, field = ''] = pointer.split('/');
  return { scopes: '--scope', expiresAt: '--expires' }[field] ?? `--${field}`;
};

export const runCreateKey = (
  shell: Shell,
  { name, scope, expires, json = false }: CreateArguments,
): Promise<void> =>
  finishing(shell, async (closers) => {
    const wanted = issueApiKeyCodec.decode({
      name,
      scopes: scope,
      ...(expires !== undefined && { expiresAt: expires }),
    });
    if (E.isLeft(wanted)) {
      for (const { pointer, detail } of faultsOf(wanted.left))
        say(shell, sentenceOf(optionOf(pointer), detail));
      return false;
    }
    const { apiKeys, caller } = await open(shell, 'append', closers);
    // What was issued without an answer is a key that nobody knows: it is not tried again.
    const issued = await apiKeys.issue(wanted.right, caller)();
    if (!done(shell, issued)) return false;
    if (json) {
      await toStream(shell.output).write(`${JSON.stringify(issuedKeyBody(issued.right))}\n`);
      return true;
    }
    say(shell, `Key ${issued.right.id} was created. It is shown this once and kept only as a hash:`);
    await toStream(shell.output).write(`${issued.right.secret}\n`);
    return true;
  });

export interface ListArguments {
  readonly json?: boolean;
}

export const runListKeys = (shell: Shell, { json = false }: ListArguments): Promise<void> =>
  finishing(shell, async (closers) => {
    const { apiKeys, options } = await open(shell, 'read', closers);
    const keys = await patiently(apiKeys.list, { ms: STORE_PATIENCE_MS, signal: options.signal });
    if (!done(shell, keys)) return false;
    const now = systemClock.now();
    const lines = json
      ? keys.right.map((key) => printable(JSON.stringify(apiKeyBody(key))))
      : [KEYS_HEAD, ...keys.right.map((key) => keyLine(key, now))];
    if (keys.right.length === 0) say(shell, 'There is no key.');
    else await toStream(shell.output).write(lines.map((line) => `${line}\n`).join(''));
    return true;
  });

export const runRenameKey = (shell: Shell, id: string, name: string): Promise<void> =>
  finishing(shell, async (closers) => {
    const wanted = renameApiKeyCodec.decode({ name });
    if (E.isLeft(wanted)) {
      for (const { detail } of faultsOf(wanted.left)) say(shell, sentenceOf('<name>', detail));
      return false;
    }
    const { apiKeys, caller } = await open(shell, 'append', closers);
    const renamed = await apiKeys.rename(id, wanted.right.name, caller)();
    if (!done(shell, renamed)) return false;
    say(shell, `Key ${printable(id)} has the name ${printable(renamed.right.name)}.`);
    return true;
  });

export const runRevokeKey = (shell: Shell, id: string): Promise<void> =>
  finishing(shell, async (closers) => {
    const { apiKeys, caller } = await open(shell, 'append', closers);
    const revoked = await apiKeys.revoke(id, caller)();
    if (!done(shell, revoked)) return false;
    say(shell, `Key ${printable(id)} is revoked. Every service refuses it within a second.`);
    return true;
  });
