import type { JsonCodec } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { PathParameter } from '../parameters';
import type { ProblemSlug } from '../problem-texts';

/** An id in a path, which may be any text: one that is none is that of nothing. */
export const idInPath = (
  name: string,
  description: string,
  { schema }: JsonCodec<string>,
  problem: ProblemSlug,
): PathParameter<string> => ({
  in: 'path',
  name,
  description,
  schema,
  problems: [problem],
  read: (params) => E.right(params[name] ?? ''),
});
