/** Many random histories, on both read models. */
import { describeReplayEmbedded, describeReplayOnMongoDb } from './replay-suite';

describeReplayEmbedded(100);
describeReplayOnMongoDb(6);
