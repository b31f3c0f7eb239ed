/** `pricebook backup` and `pricebook restore`: whole copies of the embedded event store. */
import { backupEvents, type CopiedEvents, restoreEvents } from '@pricebook/embedded';
import type { Command } from 'commander';
import { brokenChainSentence } from '../audit/difference-sentence';
import { finishing, readOptions, say } from '../command-line/command';
import { count } from '../command-line/sentences';
import { printable } from '../command-line/terminal';

/** Says what a copy holds; a copy of broken chains is kept, and the exit status is 1. */
const report = (what: string, { events, bytes, id, broken }: CopiedEvents): boolean => {
  for (const fault of broken) say(brokenChainSentence(fault));
  say(
    printable(
      `${what} and read again: ${count(events, 'event')}, the last at position ${String(events)}, ` +
        `in ${(bytes / 1024 ** 2).toFixed(1)} MiB; of the event store ${id}.`,
    ),
  );
  return broken.length === 0;
};

/** The folder of the configuration, where the events are in it. */
const dataFolder = (): string => {
  const { dataFolder: folder, eventStoreDbUrl } = readOptions().configuration;
  if (eventStoreDbUrl !== undefined) {
    throw new Error(
      'The events are in EventStoreDB: see its manual for how to back it up, or use `pricebook export`.',
    );
  }
  return folder;
};

const runBackup = (target: string): Promise<void> =>
  finishing(() => {
    const isWhole = report(`Backed up to ${target}`, backupEvents(dataFolder(), target));
    return Promise.resolve(isWhole);
  });

const runRestore = (backup: string): Promise<void> =>
  finishing(() => {
    const folder = dataFolder();
    const isWhole = report(`Restored to ${folder}`, restoreEvents(backup, folder));
    say('The service builds the read model from the events when it starts.');
    return Promise.resolve(isWhole);
  });

export const addBackupCommands = (program: Command): void => {
  program
    .command('backup')
    .description(
      'copy the embedded event store to a new folder, also while a service uses it, and check the copy',
    )
    .argument('<folder>', 'where to; it must be empty or not there')
    .action(runBackup);
  program
    .command('restore')
    .description('bring a backup back into PRICEBOOK_DATA_DIR, which must be empty or not there')
    .argument('<folder>', 'the backup')
    .action(runRestore);
};
