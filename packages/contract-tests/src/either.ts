import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';

/** What a task succeeds with; fails the test where it does not. */
export const succeed = async <A>(task: TaskEither<unknown, A>): Promise<A> => {
  const result = await task();
  if (E.isLeft(result)) throw new Error(`expected a success, got ${JSON.stringify(result.left)}`);
  return result.right;
};

/** What a task fails with; fails the test where it succeeds. */
export const failWith = async <Error>(task: TaskEither<Error, unknown>): Promise<Error> => {
  const result = await task();
  if (E.isRight(result)) throw new TypeError('expected a failure, got a success');
  return result.left;
};
