/** A few random histories; many are in replay.property.slow.test.ts. */
import { describeReplayEmbedded } from './replay-suite';

describeReplayEmbedded(20);
