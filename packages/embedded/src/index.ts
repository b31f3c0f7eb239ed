export { backupEvents, checkLiveLayout, type CopiedEvents, restoreEvents } from './backup';
export { Damage } from './damage';
export { type EmbeddedEventStore, openEmbeddedEventStore } from './event-store';
export { FolderInUse, type FolderLock, lockFolder } from './folder-lock';
export { openEmbeddedKeyUses } from './key-uses';
export { type EmbeddedReadModel, openEmbeddedReadModel } from './read-model';
export { embeddedReadModels } from './read-model-store';
export { openEmbeddedReadModelToRead } from './read-model-to-read';
export { openScratchReadModel } from './scratch-read-model';
