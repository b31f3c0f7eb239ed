/** The files of a data folder. */
export const EVENTS_FILE = 'events.mdb';
export const READ_MODEL_FILE = 'read-model.mdb';
/** What is to be known of the read model before it is opened. */
export const READ_MODEL_STATE_FILE = 'read-model.state';
