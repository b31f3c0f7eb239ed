import { entityTagOf } from '../entity-tag';

/** The headers of an answer to a write. */
export const writeHeaders = ({
  revision,
  projectionBehind,
}: {
  /** Absent where the book is gone. */
  readonly revision?: number;
  readonly projectionBehind: boolean;
}): Readonly<Record<string, string>> => ({
  ...(revision !== undefined && { ETag: entityTagOf(revision) }),
  // The write is done, but a read may not show it yet.
  ...(projectionBehind && { Projection: 'behind' }),
});
