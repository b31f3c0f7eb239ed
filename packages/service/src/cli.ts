/** The command line. */
import { version } from '@pricebook/http';
import { Command, CommanderError } from 'commander';
import { addAuditCommands } from './audit/commands';
import { addBackupCommands } from './backup/commands';
import { say } from './command-line/command';
import { processShell, type Shell } from './command-line/shell';
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
  if (firstKey !== undefined) say(processShell, firstKeyNote(firstKey, addressForClients(address)));
  say(processShell, `The price book service ${version} is ready at ${address}/v1`);
};

const runProjector = async (): Promise<void> => {
  // A port of its own, so that it runs beside a service of the same machine.
  const { address } = await runUntilStopped({ PORT: PROJECTOR_PORT, ...process.env }, project);
  say(processShell, `The projector ${version} is ready at ${address}/health/ready`);
};

/** Runs the command that the arguments name; `serve` and `project` take the process whatever the shell. */
export const run = async (argv: readonly string[], shell: Shell): Promise<void> => {
  const program = new Command('pricebook')
    .description('Price books over HTTP')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.output.write(text),
      writeErr: (text) => shell.errors.write(text),
    });
  program.command('serve').description('serve the HTTP API').action(runService);
  program
    .command('project')
    .description('run the projector, beside services whose PRICEBOOK_PROJECTOR is off')
    .action(runProjector);
  program
    .command('demo')
    .description('load a sample price list into a running service and show some prices')
    .addOption(urlOption(shell))
    .action(async ({ url }: { readonly url: string }) => {
      // The key from the environment alone: everybody on the machine sees arguments.
      const key = shell.environment['PRICEBOOK_KEY'];
      const print = (text: string): void => void shell.output.write(`${text}\n`);
      await demo({ url, key, print, isTerminal: shell.output.isTTY === true }).catch((failure: unknown) => {
        say(shell, failure instanceof Error ? failure.message : String(failure));
        shell.exit(1);
      });
    });
  addHistoryCommands(program, shell);
  addAuditCommands(program, shell);
  addBackupCommands(program, shell);
  addKeyCommands(program, shell);
  addPricesCommands(program, shell);
  try {
    await program.parseAsync(argv);
  } catch (failure) {
    if (!(failure instanceof CommanderError)) throw failure;
    shell.exit(failure.exitCode);
  }
};
