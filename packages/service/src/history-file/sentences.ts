/** What is said at the end. */
import { count, storeSentence, unhashedSentence } from '../command-line/sentences';
import type { CheckedHistory } from './check-history';
import type { Exported, ExportError } from './export-history';
import type { Imported, ImportStop } from './import-history';

export const exportedSentence = ({ events, streams }: Exported, target: string): string =>
  `Exported ${count(events, 'event')} of ${count(streams, 'stream')} to ${target}.`;

export const exportErrorSentence = (error: ExportError): string => {
  switch (error._tag) {
    case 'StoreDamaged':
    case 'StoreUnavailable':
      return storeSentence(error);
    case 'Gap':
      return `The event store is damaged: it lacks revision ${String(error.revision)} of ${error.stream}.`;
    case 'Interrupted':
      return 'The export was interrupted.';
  }
};

const stopSentence = (stop: ImportStop): string => {
  switch (stop._tag) {
    case 'FaultyLine':
    case 'BrokenChain':
      return `Line ${String(stop.line)}: ${stop.reason}.`;
    case 'OtherEvents':
      return (
        `Line ${String(stop.line)}: the store has another event as revision ${String(stop.revision)} of ` +
        `${stop.stream}. It is not the store of this history; nothing was appended to that stream. ` +
        'A history goes into a store that is empty, or has the beginning of that very history.'
      );
    case 'AppendTooLarge':
      return (
        `Line ${String(stop.line)}: what begins here has ${String(stop.bytes)} bytes, and the store takes ` +
        `${String(stop.maxBytes)} at once.`
      );
    case 'WrittenMeanwhile':
      return `Line ${String(stop.line)}: someone else has written to ${stop.stream} meanwhile. Stop the services that use the store.`;
    case 'OrderLost':
      return (
        `Line ${String(stop.line)}: the store has put an earlier line after this one. Start over with an empty ` +
        'store to have the order of the file.'
      );
    case 'StoreReadsOnly':
    case 'StoreDamaged':
    case 'StoreUnavailable':
      return storeSentence(stop);
    case 'Interrupted':
      return 'The import was interrupted.';
  }
};

const EXPORT_AGAIN =
  'The file is not as it was exported: events in it were changed, added or removed. Export the history again.';

/** Whether it can go on once what stood in the way is gone. */
const canGoOn = ({ _tag }: ImportStop): boolean =>
  !['OtherEvents', 'OrderLost', 'AppendTooLarge'].includes(_tag);

export const importedSentence = ({ appended, skipped, streams, stop }: Imported): string => {
  const done = `${count(appended, 'event')} appended, ${count(skipped, 'event')} skipped that were there already, in ${count(streams, 'stream')}.`;
  if (stop === undefined) return `Imported: ${done}`;
  const again = canGoOn(stop) ? ' It can be run again: it goes on where it ended.' : '';
  const remedy = stop._tag === 'BrokenChain' ? ` ${EXPORT_AGAIN}` : '';
  return `${stopSentence(stop)}${remedy}\nThe events before it are in the store: ${done}${again}`;
};

export const checkedSentence = ({
  events,
  streams,
  unhashed,
  faults,
  faultCount,
}: CheckedHistory): string => {
  const sound = `${count(events, 'sound event')} of ${count(streams, 'stream')}`;
  if (faultCount === 0) return `No faults: ${sound}.${unhashedSentence(unhashed)}`;
  const more = faultCount - faults.length;
  return [
    ...faults.map(stopSentence),
    ...(more > 0 ? [`... and ${count(more, 'more fault')}.`] : []),
    `${count(faultCount, 'fault')}, and ${sound}. Nothing was appended.`,
    ...(faults.some(({ _tag }) => _tag === 'BrokenChain') ? [EXPORT_AGAIN] : []),
  ].join('\n');
};
