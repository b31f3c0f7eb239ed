/** Saves a price so that nothing is overwritten unseen, and nothing is stored twice. */
import { type Answer, answerOf, type Api, type Problem, type Schemas } from '../../api/client';
import { reasonHeader } from '../../api/change-reason';
import type { Scope } from './draft';
import { type Base, changesSince, type Held, loadHeld, type OtherChange } from './own';

/** Others may go on writing to the book all the time. */
const MAX_ROUNDS = 10;

export interface Write {
  readonly bookId: string;
  readonly scope: Scope;
  readonly productId: string;
  readonly currency: string;
  readonly body: string;
  /** Why; empty where no reason is given. */
  readonly reason?: string;
}

export type Outcome =
  | { readonly _tag: 'Saved' }
  | { readonly _tag: 'Conflict'; readonly held: Held; readonly changes: readonly OtherChange[] }
  | { readonly _tag: 'Refused'; readonly problem: Problem };

const put = (
  api: Api,
  { bookId, body }: Pick<Write, 'bookId' | 'body'>,
  header: {
    readonly 'If-Match'?: string;
    readonly 'Idempotency-Key'?: string;
    readonly 'Change-Reason'?: string;
  },
  dryRun: boolean,
): Promise<Answer<Schemas['PricesSet']>> =>
  answerOf(
    api.PUT('/v1/pricebooks/{priceBookId}/prices', {
      params: { path: { priceBookId: bookId }, header, ...(dryRun && { query: { dryRun } }) },
      body: JSON.parse(body) as never,
      // As it was made: a repeated request is the same byte by byte.
      bodySerializer: () => body,
    }),
  );

/** What the write would do; nothing is stored. */
export const tryOut = (api: Api, write: Write): Promise<Answer<Schemas['PricesSet']>> =>
  put(api, write, {}, true);

/**
 * @param base the state that the user has seen.
 * @param idempotencyKey the same as before where the same is saved again.
 */
export const save = async (api: Api, write: Write, base: Base, idempotencyKey: string): Promise<Outcome> => {
  let { revision } = base;
  for (let round = 1; ; round += 1) {
    const header = {
      'If-Match': `"${String(revision)}"`,
      'Idempotency-Key': idempotencyKey,
      ...reasonHeader(write.reason ?? ''),
    };
    const answer = await put(api, write, header, false);
    if (answer.ok) return { _tag: 'Saved' };
    if (answer.problem.status !== 412 || round === MAX_ROUNDS) {
      return { _tag: 'Refused', problem: answer.problem };
    }
    const held = await loadHeld(api, write);
    if (!held.ok) return { _tag: 'Refused', problem: held.problem };
    const changes = await changesSince(api, write, base);
    if (!changes.ok) return { _tag: 'Refused', problem: changes.problem };
    if (changes.data.length > 0) return { _tag: 'Conflict', held: held.data, changes: changes.data };
    // Something else in the book was changed, which does not affect this price.
    ({ revision } = held.data.base);
  }
};
