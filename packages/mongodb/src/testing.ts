/** For tests of those who use this package: a server that speaks MongoDB's protocol. */
export { changeReadModel } from './testing/change-read-model';
export { cutWritesAfter } from './testing/cut-writes';
export { changeCheckpoint, dumpReadModel, readModelsIn } from './testing/dump';
export { ferretDbIsBuilt, spawnFerretDb, type FerretDbProcess } from './testing/ferretdb';
export { mongoDbName, type MongoDbUnderTest, newDatabase, startMongoDb } from './testing/server';
