/** What is compared with what, and what comes of it. */
import type { EventStore, Position } from '../ports/event-store';
import type { ReadModel } from '../ports/read-model';
import type { ReadModelEntries } from '../ports/read-model-entries';
import type { StoreError } from '../ports/store-error';
import type { ReplayedInto } from '../projection/replay';
import type { UndecodableEvent } from '../recorded-event';
import type { Finding } from './differences';

/** The read model that is verified. */
export type LiveReadModel = Pick<ReadModel, 'checkpoint'> & ReadModelEntries;

/** A read model of this run alone. */
export type ScratchReadModel = ReplayedInto & ReadModelEntries;

type VerifyProgress =
  | {
      readonly phase: 'replay';
      readonly events: number;
      readonly position: Position | undefined;
      readonly until: Position;
    }
  | { readonly phase: 'compare'; readonly entries: number };

export interface VerifyOptions {
  readonly signal: AbortSignal;
  /** Told of each at once. */
  readonly onDifference: (finding: Finding) => void;
  readonly onProgress?: (progress: VerifyProgress) => void;
}

export interface Verified {
  /** Of the live read model. */
  readonly entries: number;
  readonly books: number;
  /** That were replayed. */
  readonly events: number;
  readonly differences: number;
  /** Streams of events none of which has a hash, so that a change of them is not found. */
  readonly unhashed: number;
  /** Events that the live read model lacks, counted up to 1,000. */
  readonly behind: number;
  /** An event that cannot be read. What stands before it was compared; */
  readonly undecodable?: UndecodableEvent;
  /** and so many entries of the live read model go back to events after it. */
  readonly notCompared: number;
  /** Entries of books that were being cloned meanwhile, which were not compared. */
  readonly ofClones: number;
}

export type VerifyError =
  | StoreError
  | { readonly _tag: 'Interrupted' }
  /** The checkpoint of the live read model is before what it was, as after a restored backup. */
  | { readonly _tag: 'WentBack' };

export interface VerifyParts {
  readonly eventStore: Pick<EventStore, 'readAll' | 'read' | 'head'>;
  readonly live: LiveReadModel;
  readonly scratch: ScratchReadModel;
}
