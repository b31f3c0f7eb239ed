/** The commands for those who look into the history, and into what was made of it. */
import type { Command } from 'commander';
import type { Shell } from '../command-line/shell';
import { compareDigest, printDigest } from './digest-command';
import { type HistoryArguments, runHistory } from './history-command';
import { runRebuild } from './rebuild-command';
import { runVerify, type VerifyArguments } from './verify-command';

interface DigestArguments {
  readonly digest?: boolean;
  readonly check?: string;
}

export const addAuditCommands = (program: Command, shell: Shell): void => {
  program
    .command('history')
    .description('show everything that happened to a price book: when, by whom, and what')
    .argument(
      '[book]',
      'the price book: its name, its key, its id, or a beginning of its id; it may be deleted',
    )
    .option('--product <id>', 'only what concerns this product')
    .option('--since <time>', 'only what happened at this ISO 8601 date-time with offset, or later')
    .option('--json', 'write a JSON object a line')
    .option('--digest', 'instead, for all books and keys: print where each stream ends, with its hash')
    .option('--check <file>', 'with --digest: compare the events with a digest that was kept')
    .action(
      (book: string | undefined, { digest = false, check, ...args }: HistoryArguments & DigestArguments) => {
        if (!digest) return runHistory(shell, book, args);
        return check === undefined ? printDigest(shell) : compareDigest(shell, check);
      },
    );
  program
    .command('rebuild')
    .description(
      'build a new read model from the events, while reads and writes go on; a restart takes it over',
    )
    .action(() => runRebuild(shell));
  program
    .command('verify')
    .description(
      'compare the read model with the events, while reads and writes go on; exit status 1: it differs, 2: not verified',
    )
    .option('--json', 'one JSON object a line for each difference')
    .action((args: VerifyArguments) => runVerify(shell, args));
};
