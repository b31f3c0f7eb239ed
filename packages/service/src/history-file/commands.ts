/** `pricebook export` and `pricebook import`: carry the history over between stores. */
import { fstatSync, type Stats } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import type { Command } from 'commander';
import * as E from 'fp-ts/Either';
import { finishing, readOptions, say } from '../command-line/command';
import { openInputFile } from '../command-line/input-file';
import { STORE_PATIENCE_MS } from '../command-line/patience';
import { progressBar, share } from '../command-line/progress';
import type { Shell } from '../command-line/shell';
import { type Closers, openEventStoreAlone, orThrow } from '../stores';
import { checkHistory } from './check-history';
import { exportHistory } from './export-history';
import { type ExportTarget, isReaderGone, openFileTarget, toStream } from './export-target';
import { importHistory } from './import-history';
import { checkedSentence, exportedSentence, exportErrorSentence, importedSentence } from './sentences';

/** Appends to the embedded store that share a commit: it takes those of one turn together. */
const EMBEDDED_IN_FLIGHT = 256;
const READ_BYTES = 256 * 1024;

interface ExportArguments {
  readonly file?: string;
  readonly force?: boolean;
}

const openTarget = async (
  { output }: Shell,
  { file, force = false }: ExportArguments,
  closers: Closers,
): Promise<ExportTarget> => {
  if (file === undefined) return toStream(output);
  const target = await openFileTarget(file, force);
  closers.add(target.abandon);
  return target;
};

const runExport = (shell: Shell, args: ExportArguments): Promise<void> =>
  finishing(shell, async (closers) => {
    const options = readOptions(shell);
    const target = await openTarget(shell, args, closers);
    const { eventStore } = await openEventStoreAlone('read', options, closers);
    const head = orThrow(await eventStore.head()());
    const bar = progressBar(shell, 'Export', true);
    const exported = await exportHistory(eventStore, {
      patience: { ms: STORE_PATIENCE_MS, signal: options.signal },
      write: target.write,
      onProgress: ({ events, position }) => {
        bar.update(events, share(position, head));
      },
    })
      .catch((failure: unknown) => {
        if (isReaderGone(failure)) return undefined;
        throw failure;
      })
      .finally(bar.end);
    if (exported === undefined) return true;
    if (E.isLeft(exported)) {
      say(shell, exportErrorSentence(exported.left));
      return false;
    }
    await target.complete();
    say(shell, exportedSentence(exported.right, args.file ?? 'standard output'));
    return true;
  });

/** The bytes of a file or of standard input; the size where it is known. */
interface Source {
  readonly bytes: Readable;
  readonly size: number | undefined;
}

const openSource = async ({ input }: Shell, file: string | undefined, closers: Closers): Promise<Source> => {
  const sizeOf = (found: Stats): number | undefined => (found.isFile() ? found.size : undefined);
  if (file === undefined) {
    if (input.isTTY === true) throw new Error('Name a history file, or bring one on standard input.');
    return { bytes: input, size: input.fd === undefined ? undefined : sizeOf(fstatSync(input.fd)) };
  }
  const handle = await openInputFile(file);
  closers.add(() => handle.close());
  const bytes = handle.createReadStream({ highWaterMark: READ_BYTES, autoClose: false });
  return { bytes, size: sizeOf(await handle.stat()) };
};

const runCheck = (shell: Shell, file: string | undefined): Promise<void> =>
  finishing(shell, async (closers) => {
    const { bytes, size } = await openSource(shell, file, closers);
    const bar = progressBar(shell, 'Check', size !== undefined);
    const checked = await checkHistory(bytes, (progress) => {
      bar.update(progress.events, size === undefined ? undefined : progress.bytes / size);
    }).finally(bar.end);
    say(shell, checkedSentence(checked));
    return checked.faultCount === 0;
  });

const runImport = (shell: Shell, file: string | undefined): Promise<void> =>
  finishing(shell, async (closers) => {
    const options = readOptions(shell);
    const { bytes, size } = await openSource(shell, file, closers);
    const { eventStore } = await openEventStoreAlone('write', options, closers);
    const bar = progressBar(shell, 'Import', size !== undefined);
    const imported = await importHistory(eventStore, addAbortSignal(options.signal, bytes), {
      inFlight: options.configuration.eventStoreDbUrl === undefined ? EMBEDDED_IN_FLIGHT : 1,
      patience: { ms: STORE_PATIENCE_MS, signal: options.signal },
      onProgress: (progress) => {
        const events = progress.appended + progress.skipped;
        bar.update(events, size === undefined ? undefined : progress.bytes / size);
      },
    }).finally(bar.end);
    say(shell, importedSentence(imported));
    return imported.stop === undefined;
  });

export const addHistoryCommands = (program: Command, shell: Shell): void => {
  program
    .command('export')
    .description('write all events of the event store as JSON lines')
    .option('--file <path>', 'the file; by default standard output')
    .option('--force', 'replace a file that is there')
    .action((args: ExportArguments) => runExport(shell, args));
  program
    .command('import')
    .description('append the events of an export to the event store; run again, it goes on where it ended')
    .argument('[file]', 'the file; by default standard input')
    .option('--check', 'only look for faults in the file')
    .action((file: string | undefined, { check = false }: { readonly check?: boolean }) =>
      check ? runCheck(shell, file) : runImport(shell, file),
    );
};
