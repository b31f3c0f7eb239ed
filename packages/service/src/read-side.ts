/** Runs the projector of this process, and tells the log how it goes. */
import {
  type EventStore,
  type Position,
  type Projector,
  type ReadModel,
  startProjector,
} from '@pricebook/application';
import type { Logger } from 'pino';
import { storeSentence } from './command-line/sentences';

/** How often catching up is reported. */
const CATCH_UP_REPORT_MS = 2_000;

export const runProjector = (eventStore: EventStore, readModel: ReadModel, logger: Logger): Projector =>
  startProjector(eventStore, readModel, (status) => {
    const message = `the projection is ${status._tag.toLowerCase()}`;
    if ('error' in status) logger.error({ error: status.error }, message);
    else logger.info(message);
  });

/** Waits until the read model has all that the event store had, or will not get it. Throws where the events are damaged. */
export const catchUp = async (
  projector: Projector,
  head: Position | undefined,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<void> => {
  if (head === undefined) return;
  while (!(await projector.waitFor(head, CATCH_UP_REPORT_MS))) {
    const status = projector.status();
    // What it would serve is not what happened. An event of a later version is another matter: readiness names it.
    if (status._tag === 'Stopped' && status.error._tag === 'StoreDamaged') {
      throw new Error(`${storeSentence(status.error)} Restore a backup`);
    }
    if (status._tag === 'Stopped' || signal.aborted) return;
    const position = String(projector.reached() ?? 0);
    logger.info({ position, head: String(head) }, 'the projection catches up');
  }
};
