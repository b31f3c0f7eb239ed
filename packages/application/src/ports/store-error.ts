/** A store did not answer, or not in time. Nothing is known of what it did. */
export interface StoreUnavailable {
  readonly _tag: 'StoreUnavailable';
  /** For logs; never shown to clients. */
  readonly reason: string;
}

/** A store holds something that it cannot have been given. It must not be read past. */
export interface StoreDamaged {
  readonly _tag: 'StoreDamaged';
  /** The file, or the stream and revision, that is damaged. */
  readonly where: string;
  readonly reason: string;
}

/**
 * A store answers reads, but takes no writes for now. It has told the log why, once, and goes on by itself when it
 * can. Of a write that was under way when this began, nothing is known: the identical one sent again is stored once.
 */
export interface StoreReadsOnly {
  readonly _tag: 'StoreReadsOnly';
  /** `full` where there is no room, `failing` where what it wrote may not have come to the disk. */
  readonly why: 'full' | 'failing';
  /** For logs; never shown to clients. */
  readonly reason: string;
}

export type StoreError = StoreUnavailable | StoreDamaged;

/** Tells a store's own failure from a mistake in the program, where a failure was thrown. */
export const isStoreError = (failure: unknown): failure is StoreError =>
  typeof failure === 'object' &&
  failure !== null &&
  '_tag' in failure &&
  (failure._tag === 'StoreUnavailable' || failure._tag === 'StoreDamaged');
