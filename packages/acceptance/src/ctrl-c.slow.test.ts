/** Ctrl-C as people press it: in a terminal, where npm and the service both get it, and npm passes it on. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { newFolder } from './testing/test-service';

const root = path.resolve(__dirname, '../../..');
const ROUNDS = 10;

/** Runs a command in a terminal of its own, presses Ctrl-C when it is ready, and writes all that the terminal shows. */
const IN_TERMINAL = `
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
shown = b''
pressed = False
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    shown += piece
    if not pressed and b'/v1\\r\\n' in shown:
        pressed = True
        os.write(terminal, b'\\x03')
os.waitpid(child, 0)
sys.stdout.buffer.write(shown)
`;

const isPythonThere = spawnSync('python3', ['-c', 'import pty']).status === 0;

describe(`Ctrl-C in a terminal${isPythonThere ? '' : ' (skipped: python3 is not here)'}`, () => {
  let folder: string;
  before(function () {
    if (!isPythonThere) this.skip();
    folder = newFolder();
  });
  after(() => {
    if (isPythonThere) fs.rmSync(folder, { recursive: true, force: true });
  });

  it(`stops npm start in order, ${String(ROUNDS)} times of ${String(ROUNDS)}`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const driver = spawn('python3', ['-c', IN_TERMINAL, 'npm', 'start'], {
        cwd: root,
        env: {
          PATH: process.env['PATH'],
          HOME: process.env['HOME'],
          PORT: '0',
          PRICEBOOK_DATA_DIR: folder,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let shown = '';
      driver.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
      await once(driver, 'close');
      // The last thing that it does. What is killed does not say it.
      expect(shown, `round ${String(round)}`).to.match(/"msg":"stopped"/);
    }
  }).timeout(300_000);
});
