export { ForeignReadModel, type MongoReadModel, openMongoReadModel } from './read-model';
export { isUnreachable } from './server';
