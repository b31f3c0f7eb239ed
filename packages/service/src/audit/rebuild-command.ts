/** `pricebook rebuild`: builds a new read model from the events while reads and writes go on. */
import { rebuild, type RebuildError, type Rebuilt } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { finishing, readOptions, say } from '../command-line/command';
import { patiently, STORE_PATIENCE_MS } from '../command-line/patience';
import { progressBar, share } from '../command-line/progress';
import { count, storeSentence } from '../command-line/sentences';
import type { Shell } from '../command-line/shell';
import { openEventStoreAlone, openReadModels } from '../stores';

const failureSentence = (error: RebuildError): string => {
  switch (error._tag) {
    case 'UndecodableEvent':
      return (
        `This version cannot read revision ${String(error.revision)} of ${error.stream}: ${error.reason}. ` +
        'The old read model stays.'
      );
    case 'Interrupted':
      return 'The rebuild was interrupted. The old read model stays.';
    case 'Overtaken':
      return 'Another rebuild has finished meanwhile. Its read model is live, and this one was removed.';
    case 'StoreDamaged':
      return `${storeSentence(error)} The old read model stays.`;
    case 'StoreUnavailable':
      return `A store does not answer: ${error.reason}. The rebuild was given up; run it again.`;
  }
};

const doneSentence = ({ events }: Rebuilt, ms: number): string =>
  `The read model was rebuilt from ${count(events, 'event')} in ${(ms / 1_000).toFixed(1)} s, ` +
  'and is live for processes that start from now on. Restart services and projectors, one after the other.';

export const runRebuild = (shell: Shell): Promise<void> =>
  finishing(shell, async (closers) => {
    const options = readOptions(shell);
    const events = await openEventStoreAlone('read', options, closers);
    const store = await openReadModels(events, options, closers);
    const bar = progressBar(shell, 'Rebuild', true);
    const started = performance.now();
    const rebuilt = await rebuild(events.eventStore, store, {
      signal: options.signal,
      onProgress: ({ events: applied, position, head }) => {
        bar.update(applied, share(position, head));
      },
      patiently: (attempt) => patiently(attempt, { ms: STORE_PATIENCE_MS, signal: options.signal }),
    }).finally(bar.end);
    say(
      shell,
      E.isLeft(rebuilt)
        ? failureSentence(rebuilt.left)
        : doneSentence(rebuilt.right, performance.now() - started),
    );
    return E.isRight(rebuilt);
  });
