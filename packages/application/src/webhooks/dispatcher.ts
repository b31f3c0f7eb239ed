/**
 * Delivers to all webhooks that are active, in one process at a time. Where there is none, nothing runs but a look at
 * the stream of webhooks now and then.
 */
import * as E from 'fp-ts/Either';
import type { WebhookProgressStore } from '../ports/webhook-progress';
import { SEND_LIMIT_MS } from '../ports/webhook-sender';
import { type Claim, deliver, type DeliveryParts } from './deliver';
import type { WebhookRegister } from './register';
import type { Webhook } from './state';

/** How often it is looked for changes of webhooks: what another process changes holds here after that. */
const LOOK_MS = 2_000;
/** How long the right to deliver lasts: when a process is killed, another one delivers after that. */
const CLAIM_MS = 45_000;
/** How often it is renewed. */
const RENEW_MS = 10_000;
/** How long deliveries that have stopped wait until they begin again. */
const RESTART_MS = 5_000;

export interface DispatcherParts extends DeliveryParts {
  readonly register: WebhookRegister;
  readonly progressStore: WebhookProgressStore;
  /** Names this process; no other has its name. */
  readonly owner: string;
}

export interface Dispatcher {
  /** Has a change of webhooks hold at once. */
  readonly nudge: () => void;
  /** Breaks off what is being sent: it is sent again later. */
  readonly close: () => Promise<void>;
}

interface Run {
  readonly webhook: Webhook;
  readonly end: () => Promise<void>;
  /** When it has ended by itself, in ms of the process. */
  stoppedAt?: number;
}

export const startDispatcher = ({ register, owner, ...parts }: DispatcherParts): Dispatcher => {
  const { progressStore, wait, report } = parts;
  const stopping = new AbortController();
  const runs = new Map<string, Run>();
  let claimed: { readonly token: number; readonly at: number } | undefined;
  let wake = new AbortController();

  const start = (webhook: Webhook, token: number): void => {
    const ending = new AbortController();
    const claim: Claim = {
      token,
      lasts: () =>
        claimed?.token === token && performance.now() + SEND_LIMIT_MS + RENEW_MS < claimed.at + CLAIM_MS,
    };
    const done = deliver(webhook, claim, parts, ending.signal).then((error) => {
      run.stoppedAt = performance.now();
      if (error !== undefined) report(webhook, { _tag: 'Stopped', error });
    });
    const run: Run = {
      webhook,
      end: () => {
        ending.abort();
        return done;
      },
    };
    runs.set(webhook.id, run);
  };

  const endRuns = async (which: (run: Run) => boolean): Promise<void> => {
    const ending = [...runs.values()].filter(which);
    await Promise.all(ending.map(({ end }) => end()));
    for (const { webhook } of ending) runs.delete(webhook.id);
  };

  /** Holds on to the right to deliver. @returns whether this process has it, as far as it knows. */
  const holdClaim = async (): Promise<boolean> => {
    const at = performance.now();
    if (claimed !== undefined && at - claimed.at < RENEW_MS) return true;
    const answer = await progressStore.claim(owner, CLAIM_MS)();
    // A store that is away takes nothing from it until its time is over, and then nothing is sent.
    if (E.isLeft(answer)) return claimed !== undefined;
    const token = answer.right;
    if (token !== claimed?.token) await endRuns(() => true);
    claimed = token === undefined ? undefined : { token, at };
    return claimed !== undefined;
  };

  const isOver = ({ stoppedAt }: Run): boolean =>
    stoppedAt !== undefined && performance.now() - stoppedAt >= RESTART_MS;

  const lookOnce = async (): Promise<void> => {
    // Where the stream cannot be read, what is known holds on.
    await register.look();
    const { webhooks } = register.known();
    const active = [...webhooks.values()].filter(({ pausedReason }) => pausedReason === undefined);
    await endRuns((run) => !active.includes(run.webhook) || isOver(run));
    if (active.length === 0 || !(await holdClaim()) || claimed === undefined) return;
    for (const webhook of active) if (!runs.has(webhook.id)) start(webhook, claimed.token);
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      await lookOnce();
      await wait(LOOK_MS, AbortSignal.any([stopping.signal, wake.signal]));
    }
    await endRuns(() => true);
    if (claimed !== undefined) await progressStore.release(owner)();
  };

  const running = run();
  return {
    nudge: () => {
      wake.abort();
    },
    close: async () => {
      stopping.abort();
      await running;
    },
  };
};
