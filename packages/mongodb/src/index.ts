export { ForeignReadModel } from './claim';
export { openMongoKeyUses } from './key-uses';
export { type MongoReadModelStore, openMongoReadModel, openMongoReadModels } from './read-model-store';
export { isHopeless } from './server';
export { openMongoReadModelToRead } from './read-model-to-read';
