/** `pricebook verify`: compares the read model with the events, while reads and writes go on. */
import {
  type EventStore,
  type Finding,
  type LiveReadModel,
  type UndecodableEvent,
  type Verified,
  verify,
  type VerifyError,
} from '@pricebook/application';
import { checkLiveLayout, openScratchReadModel } from '@pricebook/embedded';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import { finishing, readOptions, say } from '../command-line/command';
import { type Patience, patiently, STORE_PATIENCE_MS } from '../command-line/patience';
import { type Progress, progressBar, share } from '../command-line/progress';
import { count, unhashedSentence } from '../command-line/sentences';
import type { Shell } from '../command-line/shell';
import { openEventStoreAlone, openReadModelToRead } from '../stores';
import { printable } from '../command-line/terminal';
import { differenceJson, differenceSentence } from './difference-sentence';

const [NOTHING_FOUND, FOUND, NOT_VERIFIED] = [0, 1, 2];

/** As many as are counted. */
const MOST_BEHIND = 1_000;

export interface VerifyArguments {
  readonly json?: boolean;
}

const errorSentence = (error: VerifyError): string => {
  switch (error._tag) {
    case 'StoreDamaged':
      return `Not verified: ${error.where} is damaged: ${error.reason}.`;
    case 'StoreUnavailable':
      return `Not verified: a store does not answer: ${error.reason}.`;
    case 'Interrupted':
      return 'Not verified: interrupted.';
    case 'WentBack':
      return 'Not verified: the read model went back to an earlier state meanwhile. Run it again.';
  }
};

const undecodableSentence = ({ stream, revision, reason }: UndecodableEvent, notCompared: number): string =>
  `This version cannot read revision ${String(revision)} of ${stream}: ${reason}. What stands before it was ` +
  `compared${notCompared > 0 ? `; ${count(notCompared, 'entry', 'entries')} of later events could not be` : ''}.`;

const verifiedSentences = (verified: Verified): readonly string[] => {
  const { entries, books, events, differences, behind, undecodable, notCompared, ofClones, unhashed } =
    verified;
  const found = differences === 0 ? 'no differences' : count(differences, 'difference');
  const compared = `${count(entries, 'entry', 'entries')} of ${count(books, 'book')}`;
  const orMore = behind >= MOST_BEHIND ? ' or more' : '';
  return [
    ...(behind > 0
      ? [
          `The read model is behind: it lacks the last ${count(behind, 'event')}${orMore}. They were not compared.`,
        ]
      : []),
    ...(ofClones > 0
      ? [`${count(ofClones, 'entry', 'entries')} of books that were being cloned could not be compared.`]
      : []),
    ...(undecodable === undefined ? [] : [undecodableSentence(undecodable, notCompared)]),
    `Compared ${compared} with ${count(events, 'event')}: ${found}.${unhashedSentence(unhashed)}`,
  ];
};

/** The stores as they are, but asked again where they do not answer. */
const patient = (eventStore: EventStore, live: LiveReadModel, patience: Patience) => {
  const again =
    <Failure extends { readonly _tag: string }, A>(task: TaskEither<Failure, A>): TaskEither<Failure, A> =>
    () =>
      patiently(task, patience);
  return {
    eventStore: {
      head: () => again(eventStore.head()),
      read: (...args: Parameters<EventStore['read']>) => again(eventStore.read(...args)),
      readAll: (...args: Parameters<EventStore['readAll']>) => again(eventStore.readAll(...args)),
    },
    live: {
      checkpoint: () => again(live.checkpoint()),
      entries: live.entries,
      findEntries: (...args: Parameters<LiveReadModel['findEntries']>) => again(live.findEntries(...args)),
    },
  };
};

/** Takes a bar off the line that is to be written on; it draws itself again. */
const clearLine = ({ errors }: Shell): void => {
  if (errors.isTTY === true) errors.write('\r\u001b[K');
};

export const runVerify = (shell: Shell, { json = false }: VerifyArguments): Promise<void> =>
  finishing(
    shell,
    async (closers) => {
      const options = readOptions(shell);
      const { signal } = options;
      // Who reads the differences may have seen enough.
      shell.output.on('error', () => undefined);
      const untilThere = {
        ...options,
        signal: AbortSignal.any([signal, AbortSignal.timeout(STORE_PATIENCE_MS)]),
      };
      const { dataFolder, eventStoreDbUrl } = options.configuration;
      // What no query reads; the replay reads every event.
      if (eventStoreDbUrl === undefined) checkLiveLayout(dataFolder);
      const events = await openEventStoreAlone('read', untilThere, closers);
      const live = await openReadModelToRead(events, untilThere, closers);
      const scratch = openScratchReadModel();
      closers.add(scratch.remove);
      const replaying = progressBar(shell, 'Replay', true);
      let comparing: Progress | undefined;
      const onDifference = (finding: Finding): void => {
        clearLine(shell);
        shell.output.write(`${(json ? differenceJson : differenceSentence)(finding)}\n`);
      };
      const parts = { ...patient(events.eventStore, live, { ms: STORE_PATIENCE_MS, signal }), scratch };
      const verified = await verify(parts, {
        signal,
        onDifference,
        onProgress: (progress) => {
          if (progress.phase === 'compare') {
            if (comparing === undefined) replaying.end();
            comparing ??= progressBar(shell, 'Compare', false, 'entries');
            comparing.update(progress.entries, undefined);
            // While it is compared, replays of what has been written since are short.
          } else if (comparing === undefined) {
            replaying.update(progress.events, share(progress.position, progress.until));
          }
        },
      })().finally(() => {
        (comparing ?? replaying).end();
      });
      if (E.isLeft(verified)) {
        say(shell, printable(errorSentence(verified.left)));
        return NOT_VERIFIED;
      }
      for (const sentence of verifiedSentences(verified.right)) say(shell, printable(sentence));
      if (verified.right.undecodable !== undefined) return NOT_VERIFIED;
      return verified.right.differences === 0 ? NOTHING_FOUND : FOUND;
    },
    NOT_VERIFIED,
  );
