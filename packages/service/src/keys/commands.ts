/** The commands for keys. None takes a key as an argument: arguments are seen by everybody on the machine. */
import type { Command } from 'commander';
import type { Shell } from '../command-line/shell';
import {
  type CreateArguments,
  type ListArguments,
  runCreateKey,
  runListKeys,
  runRenameKey,
  runRevokeKey,
} from './keys-command';

const oneMore = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export const addKeyCommands = (program: Command, shell: Shell): void => {
  const keys = program
    .command('keys')
    .description('create, list, rename and revoke API keys; services notice within a second');
  keys
    .command('create')
    .description('create a key and write it to standard output, this once')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--scope <scope>', 'read, write (includes read) or admin (includes all)', oneMore)
    .option('--expires <time>', 'when it expires, as ISO 8601 date-time with offset')
    .option('--json', 'write a JSON object with all that is known of the key')
    .action((args: CreateArguments) => runCreateKey(shell, args));
  keys
    .command('list')
    .description('list the keys that are not revoked')
    .option('--json', 'write a JSON object a line')
    .action((args: ListArguments) => runListKeys(shell, args));
  keys
    .command('rename')
    .description('give a key another name')
    .argument('<id>', 'the id of the key: 8 characters, as in the list')
    .argument('<name>', 'what it is for')
    .action((id: string, name: string) => runRenameKey(shell, id, name));
  keys
    .command('revoke')
    .description('revoke a key')
    .argument('<id>', 'the id of the key: 8 characters, as in the list')
    .action((id: string) => runRevokeKey(shell, id));
};
