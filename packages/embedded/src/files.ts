/** The files of a data folder. */
export const EVENTS_FILE = 'events.db';
/** The position and the id of the event that was acknowledged last. */
export const LAST_FILE = 'events.last';
/** The events of a folder of the version before, which kept them on LMDB. */
export const LMDB_EVENTS_FILE = 'events.mdb';
export const READ_MODEL_FILE = 'read-model.mdb';
/** Names the live read model; absent for the file above. */
export const LIVE_FILE = 'read-model.live';
/** Written to find out whether the disk takes writes, and whether there is room again. */
export const SPACE_FILE = 'space.try';
/** When keys were last used. */
export const KEY_USES_FILE = 'key-uses.json';
/** How far webhooks have come, and their dead letters. */
export const WEBHOOKS_FILE = 'webhooks.db';
