/** Every path that names a book takes `key=` and the client's own key in the place of the id. */
import type { Caller, PriceBooks } from '@pricebook/application';
import { priceBookKeyCodec } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { ApiError } from './api-error';
import { BY_KEY, priceBookIdInPath } from './parameters';

const { name } = priceBookIdInPath;

/** @returns undefined where the path names no book, or names it by its id. */
const keyIn = (segment: string | undefined): string | undefined => {
  if (segment?.startsWith(BY_KEY) !== true) return undefined;
  const key = priceBookKeyCodec.decode(segment.slice(BY_KEY.length));
  return E.isRight(key) ? key.right : undefined;
};

/** What is looked at of a request. */
interface Request {
  readonly params: Readonly<Record<string, string>>;
  readonly caller: Pick<Caller, 'done'>;
}

/**
 * Has a request act on the book that its path names, whichever way. A key that no book has stays in the path: it is
 * not the id of one. What the request has done when it came before it has done to that book, whichever book has the key now.
 */
export const onBookInPath = <R extends Request, A>(
  { idOfKey }: Pick<PriceBooks, 'idOfKey'>,
  request: R,
  act: (request: R) => TE.TaskEither<ApiError, A>,
): TE.TaskEither<ApiError, A> => {
  const key = keyIn(request.params[name]);
  if (key === undefined) return act(request);
  const { done } = request.caller;
  return pipe(
    done === undefined ? idOfKey(key) : TE.right(done.priceBookId),
    TE.chainW((id) =>
      act(id === undefined ? request : { ...request, params: { ...request.params, [name]: id } }),
    ),
  );
};
