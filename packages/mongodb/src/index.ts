export { ForeignReadModel } from './claim';
export { openMongoKeyUses } from './key-uses';
export { type MongoReadModelStore, openMongoReadModel, openMongoReadModels } from './read-model-store';
export { openMongoWebhookProgress } from './webhook-progress';
export { isHopeless } from './server';
export { openMongoReadModelToRead } from './read-model-to-read';
