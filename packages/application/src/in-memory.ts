/** Both stores in memory, for tests: nothing outlives the process. */
export { createInMemoryEventStore } from './in-memory/event-store';
export { createInMemoryKeyUses } from './in-memory/key-uses';
export { createInMemoryReadModel } from './in-memory/read-model';
export { createInMemoryWebhookProgress } from './in-memory/webhook-progress';
