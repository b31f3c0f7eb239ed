/** The keys of a running service: who is let in, what can be asked of keys, and how well they are known. */
import {
  type ApiKeys,
  type Clock,
  createApiKeyRegister,
  createApiKeys,
  createKeyring,
  createKeyUseRecorder,
  type EventStore,
  followRegister,
  hasLiveAdmin,
  issueFirstKey,
  type Keyring,
  type RegisterStatus,
  type KeyUses,
} from '@pricebook/application';
import type { Configuration } from '../configuration';
import { type Closers, orThrow, type StoreOptions } from '../stores';
import { systemIds } from '../system';
import { reportRegister } from '../report-register';

export interface OpenKeys {
  readonly keyring: Keyring;
  readonly apiKeys: ApiKeys;
  readonly status: () => RegisterStatus;
  /**
   * Issues a key where there is none and no bootstrap key. Call it when nothing is left that could keep the key from
   * being shown, such as a port that is taken: it is kept only as a hash.
   *
   * @returns the key; undefined where none was needed.
   */
  readonly issueFirst: () => Promise<string | undefined>;
}

interface KeysOptions extends Pick<StoreOptions, 'logger'> {
  readonly configuration: Pick<Configuration, 'bootstrapKey'>;
  readonly clock: Clock;
}

/** Reads all keys and follows changes. */
export const openKeys = async (
  eventStore: EventStore,
  keyUses: KeyUses,
  { configuration: { bootstrapKey }, logger, clock }: KeysOptions,
  closers: Closers,
): Promise<OpenKeys> => {
  const register = createApiKeyRegister(eventStore);
  orThrow(await register.look());
  const issueFirst = async (): Promise<string | undefined> => {
    if (bootstrapKey !== undefined) return undefined;
    const isFirst = register.known().last === undefined;
    const first = isFirst ? orThrow(await issueFirstKey(eventStore, clock, systemIds)()) : undefined;
    if (isFirst) orThrow(await register.look());
    if (!hasLiveAdmin(register.known().keys.values(), clock.now())) {
      logger.warn('no key of the scope admin is valid: pricebook keys create --scope admin issues one');
    }
    if (first !== undefined) logger.warn({ keyId: first.id }, 'there was no API key, so one was issued');
    return first?.secret;
  };
  const follower = followRegister(register, reportRegister(logger, 'the keys'));
  closers.add(follower.close);
  const recorder = createKeyUseRecorder(keyUses, clock, (error) => {
    logger.warn({ error }, 'when keys were last used could not be kept; it is tried again');
  });
  closers.add(recorder.close);
  return {
    keyring: createKeyring({
      keys: () => register.known().keys,
      bootstrapKey,
      clock,
      onUse: recorder.note,
    }),
    apiKeys: createApiKeys({
      eventStore,
      register,
      lastUses: recorder.lastUses,
      clock,
      ids: systemIds,
      hasBootstrapKey: bootstrapKey !== undefined,
    }),
    status: follower.status,
    issueFirst,
  };
};
