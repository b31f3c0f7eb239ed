export { ForeignReadModel, type MongoReadModel, openMongoReadModel } from './read-model';
export { isHopeless } from './server';
