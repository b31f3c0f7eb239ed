/** The files of a data folder. */
export const EVENTS_FILE = 'events.mdb';
export const READ_MODEL_FILE = 'read-model.mdb';
/** Names the live read model; absent for the file above. */
export const LIVE_FILE = 'read-model.live';
/** Names the read model that the process which serves the folder is to go over to. */
export const NEXT_FILE = 'read-model.next';
/** Written to find out whether the disk takes writes, and whether there is room again. */
export const SPACE_FILE = 'space.try';
/** Says that the event store was closed in order. */
export const CLOSED_FILE = 'events.closed';
/** When keys were last used. */
export const KEY_USES_FILE = 'key-uses.json';
