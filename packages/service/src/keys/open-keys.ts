/** The keys of a running service: who is let in, what can be asked of keys, and how well they are known. */
import {
  type ApiKeys,
  createApiKeyRegister,
  createApiKeys,
  createKeyring,
  createKeyUseRecorder,
  type EventStore,
  followKeys,
  hasLiveAdmin,
  issueFirstKey,
  type Keyring,
  type KeysStatus,
  type KeyUses,
} from '@pricebook/application';
import type { Configuration } from '../configuration';
import { type Closers, orThrow, type StoreOptions } from '../stores';
import { systemClock, systemIds } from '../system';

export interface OpenKeys {
  readonly keyring: Keyring;
  readonly apiKeys: ApiKeys;
  readonly status: () => KeysStatus;
}

interface KeysOptions extends Pick<StoreOptions, 'logger'> {
  readonly configuration: Pick<Configuration, 'bootstrapKey'>;
  /** Given the key that is issued where there is none, as soon as it is kept: it cannot be had again. */
  readonly onFirstKey: (key: string) => void;
}

/** Reads all keys, issues the first one where there is none and no other way in, and follows what comes. */
export const openKeys = async (
  eventStore: EventStore,
  keyUses: KeyUses,
  { configuration: { bootstrapKey }, logger, onFirstKey }: KeysOptions,
  closers: Closers,
): Promise<OpenKeys> => {
  const register = createApiKeyRegister(eventStore);
  orThrow(await register.look());
  if (register.known().last === undefined && bootstrapKey === undefined) {
    const first = orThrow(await issueFirstKey(eventStore, systemClock, systemIds)());
    if (first !== undefined) onFirstKey(first.secret);
    orThrow(await register.look());
  }
  if (bootstrapKey === undefined && !hasLiveAdmin(register.known().keys.values(), systemClock.now())) {
    logger.warn('no key of the scope admin is valid: pricebook keys create --scope admin issues one');
  }
  const follower = followKeys(register, (status) => {
    const message = `the keys are ${status._tag.toLowerCase()}`;
    if ('error' in status) logger.error({ error: status.error }, message);
    else logger.info(message);
  });
  closers.add(follower.close);
  const recorder = createKeyUseRecorder(keyUses, systemClock, (error) => {
    logger.warn({ error }, 'when keys were last used could not be kept; it is tried again');
  });
  closers.add(recorder.close);
  return {
    keyring: createKeyring({
      keys: () => register.known().keys,
      bootstrapKey,
      clock: systemClock,
      onUse: recorder.note,
    }),
    apiKeys: createApiKeys({
      eventStore,
      register,
      lastUses: recorder.lastUses,
      clock: systemClock,
      ids: systemIds,
      hasBootstrapKey: bootstrapKey !== undefined,
    }),
    status: follower.status,
  };
};
