/** An event as a client proposes it. */
export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface StoredEvent extends ProposedEvent {
  readonly stream: string;
  readonly revision: bigint;
  /** Commit and prepare position are one and the same here. */
  readonly position: bigint;
  /** Milliseconds since 1970. */
  readonly created: number;
}

/** The revision of the event that ends a stream for good. */
export const TOMBSTONE_REVISION = 2n ** 63n - 1n;

/** Bytes as the limit on an append counts them. */
export const bytesOf = ({ type, data, metadata }: ProposedEvent): number =>
  2 * type.length + data.length + metadata.length;
