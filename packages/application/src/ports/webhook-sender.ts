/** What came of sending a message. */
export type SendOutcome =
  | { readonly _tag: 'Answered'; readonly status: number }
  /** No answer, or none in time. `reason` is for administrators: it holds nothing that the receiver has sent. */
  | { readonly _tag: 'Failed'; readonly reason: string };

/** Sends messages to receivers that anyone may have named, and that may do anything. */
export interface WebhookSender {
  /** Why nothing is sent to a URL: it does not resolve, or leads where it must not; undefined where it may. */
  readonly refusal: (url: string) => Promise<string | undefined>;
  /**
   * Posts a JSON body, within `SEND_LIMIT_MS`. Follows no redirect, and where the URL leads is looked at again for the
   * connection that is made. Never rejects.
   */
  readonly post: (
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ) => Promise<SendOutcome>;
}

/** How long a receiver may take to answer. */
export const SEND_LIMIT_MS = 15_000;
