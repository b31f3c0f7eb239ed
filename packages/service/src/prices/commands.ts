/** `pricebook prices`: the prices of a book as CSV, out of a running service and into it. */
import type { Command } from 'commander';
import * as E from 'fp-ts/Either';
import { finishing, say } from '../command-line/command';
import { progressBar } from '../command-line/progress';
import { urlOption } from '../command-line/service-address';
import { stopSignal } from '../command-line/stop-signal';
import { isReaderGone, openFileTarget, toStream } from '../history-file/export-target';
import { exportPrices } from './export-prices';
import { type Imported, importPrices } from './import-prices';
import { exportedSentence, exportStopSentence, importedSentence } from './sentences';
import { createPriceService } from './service';
import { openSheetFile } from './sheet-file';

/** For how long a service that is busy or does not answer is asked again. */
const PATIENCE_MS = 60_000;

interface ServiceArguments {
  readonly url: string;
}

const isDone = (imported: Imported): boolean => imported._tag === 'Sent' && imported.stop === undefined;

const runImport = (bookId: string, path: string, { url }: ServiceArguments): Promise<void> =>
  finishing(async (closers) => {
    const signal = stopSignal();
    const service = createPriceService(url, process.env['PRICEBOOK_KEY'], signal);
    const file = await openSheetFile(path);
    closers.add(file.close);
    const checking = progressBar('Check ', true, 'rows');
    let sending: ReturnType<typeof progressBar> | undefined;
    const imported = await importPrices(service, encodeURIComponent(bookId), file, {
      patience: { ms: PATIENCE_MS, signal },
      onChecked: checking.update,
      onSent: (done, whole) => {
        if (sending === undefined) checking.end();
        sending ??= progressBar('Import', true, 'products');
        sending.update(done.products, done.requests / whole.requests);
      },
    }).finally(() => {
      (sending ?? checking).end();
    });
    say(importedSentence(imported, service.address));
    return isDone(imported);
  });

interface ExportArguments extends ServiceArguments {
  readonly out?: string;
  readonly force?: boolean;
}

const runExport = (bookId: string, { url, out, force = false }: ExportArguments): Promise<void> =>
  finishing(async () => {
    const signal = stopSignal();
    const service = createPriceService(url, process.env['PRICEBOOK_KEY'], signal);
    const bar = progressBar('Export', false, 'lines');
    const exported = await exportPrices(service, encodeURIComponent(bookId), {
      patience: { ms: PATIENCE_MS, signal },
      open: () =>
        out === undefined ? Promise.resolve(toStream(process.stdout)) : openFileTarget(out, force),
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
    if (E.isLeft(exported)) say(exportStopSentence(exported.left, service.address));
    else say(exportedSentence(exported.right, out ?? 'standard output'));
    return E.isRight(exported);
  });

export const addPricesCommands = (program: Command): void => {
  const prices = program
    .command('prices')
    .description('the prices of a book as CSV, over HTTP; the key is read from PRICEBOOK_KEY');
  prices
    .command('export')
    .description('write all prices of a book as CSV')
    .argument('<priceBookId>', 'the book')
    .option('--out <file>', 'the file; by default standard output')
    .option('--force', 'replace a file that is there')
    .addOption(urlOption())
    .action(runExport);
  prices
    .command('import')
    .description(
      'set the prices of a file, all of which is checked first; run again, it goes on where it ended',
    )
    .argument('<priceBookId>', 'the book')
    .argument('<file>', 'a CSV file')
    .addOption(urlOption())
    .action(runImport);
};
