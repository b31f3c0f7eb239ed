/** What the client throws, as the errors of the port. */
import type { StoreError } from '@pricebook/application';
import {
  isCommandError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';

/** There was no answer in the time that a call may take. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export const isWrongRevision = (failure: unknown): failure is WrongExpectedVersionError =>
  failure instanceof WrongExpectedVersionError;

export const isTooLarge = (failure: unknown): failure is MaxAppendSizeExceededError =>
  failure instanceof MaxAppendSizeExceededError;

export const isMissingStream = (failure: unknown): boolean => failure instanceof StreamNotFoundError;

/** The status of gRPC where the failure has one: errors of the append path are often plain ones with a code. */
const codeOf = (failure: unknown): number | undefined =>
  typeof failure === 'object' && failure !== null && 'code' in failure && typeof failure.code === 'number'
    ? failure.code
    : undefined;

/** CANCELLED and UNAVAILABLE: after these the client connects anew, and forgets what it was told before. */
const RECONNECTING = [1, 14];

/**
 * The client asks once what the server can do, and remembers a failure as well as an answer: it then refuses every
 * append with it, whether the question got no answer in time or no host of a cluster was found. Unlike what is said
 * about an append itself, these failures are plain errors.
 */
export const isStuckClient = (failure: unknown): boolean =>
  failure instanceof Error && !isCommandError(failure) && !RECONNECTING.includes(codeOf(failure) ?? 0);

const reasonOf = (failure: unknown): string => {
  if (!(failure instanceof Error)) return 'a failure that is no error';
  const type = isCommandError(failure) ? failure.type : failure.name;
  const code = codeOf(failure);
  return [type, ...(code === undefined ? [] : [`code ${String(code)}`]), failure.message]
    .filter((part) => part !== '')
    .join(': ');
};

/** A failure that leaves open what the server did. */
export const toStoreError = (failure: unknown, stream?: string): StoreError =>
  failure instanceof StreamDeletedError
    ? {
        _tag: 'StoreDamaged',
        where: `stream ${stream ?? ''}`,
        reason: 'it was deleted for good (tombstoned)',
      }
    : { _tag: 'StoreUnavailable', reason: `EventStoreDB: ${reasonOf(failure)}` };
