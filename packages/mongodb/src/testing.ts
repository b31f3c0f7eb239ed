/** For tests of those who use this package. */
export { changeReadModel } from './testing/change-read-model';
export { cutWritesAfter } from './testing/cut-writes';
export { changeCheckpoint, dumpReadModel, readModelsIn } from './testing/dump';
export { MONGOD, type MongodAlone, mongodIsThere, spawnMongod } from './testing/mongod';
export { type ReplicaSet, startReplicaSet } from './testing/replica-set';
export { mongoDbName, type MongoDbUnderTest, newDatabase, NO_MONGODB, startMongoDb } from './testing/server';
