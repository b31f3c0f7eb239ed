import { faultSentence } from '@pricebook/http';
import { count } from '../command-line/sentences';
import { linesForTerminal } from '../command-line/terminal';
import type { FaultySheet } from './check-sheet';
import type { Exported, ExportStop } from './export-prices';
import type { Imported, ImportStop, Sent } from './import-prices';
import type { ServiceFailure } from './service';

const failureSentence = (failure: ServiceFailure, address: string): string => {
  switch (failure._tag) {
    case 'Unreachable':
      return `No service answers at ${address} (${failure.reason}).`;
    case 'Stranger':
      return `What answers at ${address} is not the price book service (status ${String(failure.status)}).`;
    case 'Busy':
      return `The service at ${address} does not take more for now: ${failure.detail}`;
    case 'Refused':
      return [
        `The service at ${address} refuses this (status ${String(failure.status)}): ${failure.detail}`,
        ...failure.errors.map(({ pointer, detail }) => `  ${pointer === '' ? '' : `${pointer}: `}${detail}`),
      ].join('\n');
  }
};

const stopSentence = (stop: ImportStop, address: string): string => {
  switch (stop._tag) {
    case 'Interrupted':
      return 'The import was interrupted.';
    case 'FileChanged':
      return 'The file was written to while it was imported. What is sent from now on would not be what was checked.';
    case 'Unreachable':
    case 'Stranger':
    case 'Busy':
    case 'Refused':
      return failureSentence(stop, address);
  }
};

const faultySentence = ({ faults, faultCount, rows }: FaultySheet): string => {
  const more = faultCount - faults.length;
  return [
    ...faults.map(faultSentence),
    ...(more > 0 ? [`... and ${count(more, 'more fault')}`] : []),
    `${count(faultCount, 'fault')} in ${count(rows, 'row')}. Nothing was imported.`,
  ].join('\n');
};

const adviceAfter = (stop: ImportStop): string =>
  stop._tag === 'FileChanged'
    ? 'Run the command again for the file as it is now.'
    : 'Run the same command again with the same API key within 24 hours: it goes on where it ended.';

const sentSentence = (
  { sheet, done, doneBefore, revision, hasOthers, stop }: Sent,
  address: string,
): string => {
  const { rows, whole } = sheet;
  const others = hasOthers ? ' Others have written to the book in between.' : '';
  if (stop !== undefined) {
    const part = `${count(done.requests, 'request')} of ${whole.requests.toLocaleString('en-US')} done, with ${count(done.products, 'product')}.`;
    return `${stopSentence(stop, address)}\n${part}${others} ${adviceAfter(stop)}`;
  }
  if (revision === undefined) return 'The file has no rows. Nothing was imported.';
  const file = `${count(rows, 'row')} of ${count(whole.products, 'product')}`;
  if (doneBefore === whole.requests) {
    return `Nothing to do: the file, ${file}, has been imported before, and the book was not changed since revision ${String(revision)}.`;
  }
  const before =
    doneBefore > 0
      ? ` (of which ${doneBefore.toLocaleString('en-US')} ${doneBefore === 1 ? 'was' : 'were'} done before)`
      : '';
  return `Imported: ${file}, in ${count(whole.requests, 'request')}${before}. The book is at revision ${String(revision)}.${others}`;
};

export const importedSentence = (imported: Imported, address: string): string => {
  switch (imported._tag) {
    case 'FaultySheet':
      return linesForTerminal(faultySentence(imported));
    case 'NotBegun':
      return linesForTerminal(`${stopSentence(imported.stop, address)}\nNothing was imported.`);
    case 'Sent':
      return linesForTerminal(sentSentence(imported, address));
  }
};

export const exportedSentence = ({ lines, from, to }: Exported, place: string): string => {
  const done = `Exported: ${count(lines, 'line')} to ${place}.`;
  return linesForTerminal(
    from === to
      ? `${done} The book is at revision ${String(from)}.`
      : `${done} The book was changed meanwhile, from revision ${String(from)} to ${String(to)}: each product is as it was ` +
          'at some moment in between. Run it again when nobody writes to have all of one moment.',
  );
};

export const serviceFailureSentence = (failure: ServiceFailure, address: string): string =>
  linesForTerminal(failureSentence(failure, address));

export const exportStopSentence = (stop: ExportStop, address: string): string =>
  linesForTerminal(
    stop._tag === 'Interrupted' ? 'The export was interrupted.' : failureSentence(stop, address),
  );
