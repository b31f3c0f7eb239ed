/** `pricebook backup` and `pricebook restore`: whole copies of the embedded event store. */
import { backupEvents, type CopiedEvents, restoreEvents } from '@pricebook/embedded';
import type { Command } from 'commander';
import { brokenChainSentence } from '../audit/difference-sentence';
import { finishing, readOptions, say } from '../command-line/command';
import type { Shell } from '../command-line/shell';
import { count } from '../command-line/sentences';
import { printable } from '../command-line/terminal';

/** Says what a copy holds; a copy of broken chains is kept, and the exit status is 1. */
const report = (shell: Shell, what: string, { events, bytes, id, broken }: CopiedEvents): boolean => {
  for (const fault of broken) say(shell, brokenChainSentence(fault));
  say(
    shell,
    printable(
      `${what} and read again: ${count(events, 'event')}, the last at position ${String(events)}, ` +
        `in ${(bytes / 1024 ** 2).toFixed(1)} MiB; of the event store ${id}.`,
    ),
  );
  return broken.length === 0;
};

/** The folder of the configuration, where the events are in it. */
const dataFolder = (shell: Shell): string => {
  const { dataFolder: folder, eventStoreDbUrl } = readOptions(shell).configuration;
  if (eventStoreDbUrl !== undefined) {
    throw new Error(
      'The events are in EventStoreDB: see its manual for how to back it up, or use `pricebook export`.',
    );
  }
  return folder;
};

const runBackup = (shell: Shell, target: string): Promise<void> =>
  finishing(shell, () => {
    const isWhole = report(shell, `Backed up to ${target}`, backupEvents(dataFolder(shell), target));
    return Promise.resolve(isWhole);
  });

const runRestore = (shell: Shell, backup: string): Promise<void> =>
  finishing(shell, () => {
    const folder = dataFolder(shell);
    const isWhole = report(shell, `Restored to ${folder}`, restoreEvents(backup, folder));
    say(shell, 'The service builds the read model from the events when it starts.');
    return Promise.resolve(isWhole);
  });

export const addBackupCommands = (program: Command, shell: Shell): void => {
  program
    .command('backup')
    .description(
      'copy the embedded event store to a new folder, also while a service uses it, and check the copy',
    )
    .argument('<folder>', 'where to; it must be empty or not there')
    .action((folder: string) => runBackup(shell, folder));
  program
    .command('restore')
    .description('bring a backup back into PRICEBOOK_DATA_DIR, which must be empty or not there')
    .argument('<folder>', 'the backup')
    .action((folder: string) => runRestore(shell, folder));
};
