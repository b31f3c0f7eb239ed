/** The command line. */
import { version } from '@pricebook/http';
import { Command } from 'commander';
import { addAuditCommands } from './audit/commands';
import { addBackupCommands } from './backup/commands';
import { say } from './command-line/command';
import { addressForClients, urlOption } from './command-line/service-address';
import { demo } from './demo/demo';
import { addHistoryCommands } from './history-file/commands';
import { addKeyCommands } from './keys/commands';
import { addPricesCommands } from './prices/commands';
import { project } from './project';
import { runUntilStopped } from './run-until-stopped';
import { serve } from './serve';

/** Where the projector listens unless PORT says otherwise. */
const PROJECTOR_PORT = '3001';

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** How a person begins: as commands to paste. */
const firstKeyNote = (key: string, address: string): string =>
  [
    '',
    'There was no API key, so one was issued, for all scopes. It is shown this once and kept only as a hash.',
    'To use it, in a second terminal:',
    '',
    `  export PRICEBOOK_KEY=${key}`,
    `  npm run demo -- --url ${address}`,
    '',
    'Requests of your own carry it in the header x-api-key.',
    '',
  ].join('\n');

const runService = async (): Promise<void> => {
  const { address, firstKey } = await runUntilStopped(process.env, serve);
  if (firstKey !== undefined) say(firstKeyNote(firstKey, addressForClients(address)));
  say(`The price book service ${version} is ready at ${address}/v1`);
};

const runProjector = async (): Promise<void> => {
  // A port of its own, so that it runs beside a service of the same machine.
  const { address } = await runUntilStopped({ PORT: PROJECTOR_PORT, ...process.env }, project);
  say(`The projector ${version} is ready at ${address}/health/ready`);
};

/** What is written holds every price and the hashes of keys: it is for the user, and the group where that may. */
const keepOthersOut = (): void => {
  process.umask(process.umask(0o077) | 0o007);
};

/** Runs the command that the arguments name. */
export const run = async (argv: readonly string[]): Promise<void> => {
  keepOthersOut();
  const program = new Command('pricebook').description('Price books over HTTP').version(version);
  program.command('serve').description('serve the HTTP API').action(runService);
  program
    .command('project')
    .description('run the projector, beside services whose PRICEBOOK_PROJECTOR is off')
    .action(runProjector);
  program
    .command('demo')
    .description('load a sample price list into a running service and show some prices')
    .addOption(urlOption())
    .action(async ({ url }: { readonly url: string }) => {
      // The key from the environment alone: everybody on the machine sees arguments.
      const key = process.env['PRICEBOOK_KEY'];
      await demo({ url, key, print, isTerminal: process.stdout.isTTY }).catch((failure: unknown) => {
        say(failure instanceof Error ? failure.message : String(failure));
        process.exitCode = 1;
      });
    });
  addHistoryCommands(program);
  addAuditCommands(program);
  addBackupCommands(program);
  addKeyCommands(program);
  addPricesCommands(program);
  await program.parseAsync(argv);
};
