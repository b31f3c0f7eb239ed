import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';

/**
 * Lets many who ask the same at once share the answer. Nobody gets one to a question that was begun before they asked,
 * unless it is that there is none: who asks while a question is under way waits for it, and shares the next one.
 */
export const createSharedQuestion = <Refusal, A>(ask: TaskEither<Refusal, A>): TaskEither<Refusal, A> => {
  let underWay: Promise<E.Either<Refusal, A>> | undefined;
  let next: Promise<E.Either<Refusal, A>> | undefined;

  const begin = (): Promise<E.Either<Refusal, A>> => {
    next = undefined;
    const asked = ask().finally(() => {
      if (underWay === asked) underWay = undefined;
    });
    underWay = asked;
    return asked;
  };

  return () => {
    if (underWay === undefined) return begin();
    next ??= underWay.then((before) => (E.isLeft(before) ? before : begin()));
    return next;
  };
};
