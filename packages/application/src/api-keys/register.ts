/** The keys as one process knows them. */
import type { EventStore } from '../ports/event-store';
import { createStreamRegister, type StreamRegister } from '../stream-register';
import { API_KEYS_STREAM } from './events';
import { afterEvents, type ApiKeysState, noKeys } from './state';

export type ApiKeyRegister = StreamRegister<ApiKeysState>;

export const createApiKeyRegister = (eventStore: Pick<EventStore, 'read'>): ApiKeyRegister =>
  createStreamRegister(eventStore, API_KEYS_STREAM, noKeys, afterEvents);
