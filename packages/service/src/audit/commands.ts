/** The commands for those who look into the history, and into what was made of it. */
import type { Command } from 'commander';
import { runRebuild } from './rebuild-command';

export const addAuditCommands = (program: Command): void => {
  program
    .command('rebuild')
    .description('make the read model anew from the events, while reads and writes go on')
    .action(runRebuild);
};
