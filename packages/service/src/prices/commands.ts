/** `pricebook prices`: the prices of a book as CSV, out of a running service and into it. */
import type { Command } from 'commander';
import * as E from 'fp-ts/Either';
import { finishing, say } from '../command-line/command';
import { bookNamed, isWholeId } from '../command-line/named-book';
import { progressBar } from '../command-line/progress';
import type { Shell } from '../command-line/shell';
import { urlOption } from '../command-line/service-address';
import { isReaderGone, openFileTarget, toStream } from '../history-file/export-target';
import { exportPrices } from './export-prices';
import { type Imported, importPrices } from './import-prices';
import { exportedSentence, exportStopSentence, importedSentence, serviceFailureSentence } from './sentences';
import { createPriceService, type PriceService } from './service';
import { openSheetFile } from './sheet-file';
import { systemClock } from '../system';

/** For how long a service that is busy or does not answer is asked again. */
const PATIENCE_MS = 60_000;

interface ServiceArguments {
  readonly url: string;
}

/** The id of the book that a person names, for a path; undefined where it was said why there is none. */
const bookIdOf = async (shell: Shell, service: PriceService, book: string): Promise<string | undefined> => {
  if (isWholeId(book)) return book;
  const books = await service.books();
  const id = E.isLeft(books)
    ? E.left(serviceFailureSentence(books.left, service.address))
    : bookNamed(book, books.right);
  if (E.isRight(id)) return id.right;
  say(shell, id.left);
  return undefined;
};

const isDone = (imported: Imported): boolean => imported._tag === 'Sent' && imported.stop === undefined;

interface ImportArguments extends ServiceArguments {
  readonly reason?: string;
}

const runImport = (
  shell: Shell,
  book: string,
  path: string,
  { url, reason }: ImportArguments,
): Promise<void> =>
  finishing(shell, async (closers) => {
    const signal = shell.stopSignal();
    const service = createPriceService(url, shell.environment['PRICEBOOK_KEY'], signal, reason);
    const file = await openSheetFile(path);
    closers.add(file.close);
    const bookId = await bookIdOf(shell, service, book);
    if (bookId === undefined) return false;
    const checking = progressBar(shell, 'Check ', true, 'rows');
    let sending: ReturnType<typeof progressBar> | undefined;
    const imported = await importPrices(service, bookId, file, {
      patience: { ms: PATIENCE_MS, signal },
      clock: systemClock,
      onChecked: checking.update,
      onSent: (done, whole) => {
        if (sending === undefined) checking.end();
        sending ??= progressBar(shell, 'Import', true, 'products');
        sending.update(done.products, done.requests / whole.requests);
      },
    }).finally(() => {
      (sending ?? checking).end();
    });
    say(shell, importedSentence(imported, service.address));
    return isDone(imported);
  });

interface ExportArguments extends ServiceArguments {
  readonly out?: string;
  readonly force?: boolean;
}

const runExport = (shell: Shell, book: string, { url, out, force = false }: ExportArguments): Promise<void> =>
  finishing(shell, async () => {
    const signal = shell.stopSignal();
    const service = createPriceService(url, shell.environment['PRICEBOOK_KEY'], signal);
    const bookId = await bookIdOf(shell, service, book);
    if (bookId === undefined) return false;
    const bar = progressBar(shell, 'Export', false, 'lines');
    const exported = await exportPrices(service, bookId, {
      patience: { ms: PATIENCE_MS, signal },
      open: () => (out === undefined ? Promise.resolve(toStream(shell.output)) : openFileTarget(out, force)),
      canRepeat: out !== undefined,
      onProgress: (lines) => {
        bar.update(lines, undefined);
      },
    })
      .catch((failure: unknown) => {
        if (isReaderGone(failure)) return undefined;
        throw failure;
      })
      .finally(bar.end);
    if (exported === undefined) return true;
    if (E.isLeft(exported)) say(shell, exportStopSentence(exported.left, service.address));
    else say(shell, exportedSentence(exported.right, out ?? 'standard output'));
    return E.isRight(exported);
  });

const BOOK = 'the price book: its name, its key, its id, or a beginning of its id';

export const addPricesCommands = (program: Command, shell: Shell): void => {
  const prices = program
    .command('prices')
    .description('the prices of a book in a file, over HTTP; the key is read from PRICEBOOK_KEY');
  prices
    .command('export')
    .description('write all prices of a book as CSV')
    .argument('<book>', BOOK)
    .option('--out <file>', 'the file; by default standard output')
    .option('--force', 'replace a file that is there')
    .addOption(urlOption(shell))
    .action((book: string, args: ExportArguments) => runExport(shell, book, args));
  prices
    .command('import')
    .description(
      'set the prices of a file, all of which is checked first; run again, it goes on where it ended',
    )
    .argument('<book>', BOOK)
    .argument('<file>', 'a CSV file, or a JSON file: the body that Set Product Prices takes')
    .option('--reason <text>', 'why the prices are set, kept in the history of the book')
    .addOption(urlOption(shell))
    .action((book: string, file: string, args: ImportArguments) => runImport(shell, book, file, args));
};
