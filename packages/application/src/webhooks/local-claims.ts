/** The right to deliver in a store that one process has to itself. */
import * as TE from 'fp-ts/TaskEither';
import type { ClaimToken, WebhookProgressStore } from '../ports/webhook-progress';

interface LocalClaims extends Pick<WebhookProgressStore, 'claim' | 'release'> {
  /** Whether no later claim than this was made. */
  readonly isLatest: (token: ClaimToken) => boolean;
}

export const createLocalClaims = (): LocalClaims => {
  let token = 0;
  let held: { readonly owner: string; readonly until: number } | undefined;
  return {
    claim: (owner, ms) =>
      TE.fromIO(() => {
        const now = performance.now();
        if (held !== undefined && held.owner !== owner && now < held.until) return undefined;
        if (held?.owner !== owner || now >= held.until) token += 1;
        held = { owner, until: now + ms };
        return token;
      }),
    release: (owner) =>
      TE.fromIO(() => {
        if (held?.owner === owner) held = undefined;
      }),
    isLatest: (given) => given === token,
  };
};
