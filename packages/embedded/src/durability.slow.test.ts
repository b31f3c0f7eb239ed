import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { openEmbeddedEventStore } from './event-store';
import { newFolder, removeFolder } from './testing/folder';

const PROGRAM = path.join(__dirname, 'testing', 'append-events.js');
const hasStrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;

/** The system calls of the program, in order, of those that tell about durability. */
const trace = (folder: string, count: number, atATime: number): readonly string[] => {
  const file = path.join(folder, 'trace.txt');
  const calls = 'write,writev,pwrite64,pwritev,fdatasync,fsync,msync';
  const args = ['-f', '-y', '-o', file, '-e', `trace=${calls}`, process.execPath, PROGRAM];
  const { status, stderr } = spawnSync('strace', [...args, folder, String(count), String(atATime)]);
  expect(status, String(stderr)).to.equal(0);
  return fs.readFileSync(file, 'utf8').split('\n');
};

const isSync = (call: string): boolean =>
  /\bf(data)?sync\(\d+<[^>]*events\.db-wal/.test(call) || /resumed.*fdatasync/.test(call);
const isAcknowledgement = (call: string): boolean => call.includes('"acknowledged');

describe('the durability of the embedded event store', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => {
    removeFolder(folder);
  });

  describe(`seen through system calls${hasStrace ? '' : ' (skipped: strace is not here or may not trace)'}`, () => {
    before(function () {
      if (!hasStrace) this.skip();
    });

    it('syncs the file between an append and its acknowledgement, every time', () => {
      const calls = trace(folder, 20, 1);
      let synced = 0;
      let acknowledged = 0;
      for (const call of calls) {
        if (isSync(call)) synced += 1;
        if (!isAcknowledgement(call)) continue;
        acknowledged += 1;
        expect(synced, `a sync before acknowledgement ${String(acknowledged)}`).to.be.at.least(1);
        synced = 0;
      }
      expect(acknowledged).to.equal(20);
    }).timeout(60_000);

    it('shares a sync among appends that come together', () => {
      const calls = trace(folder, 640, 64);
      expect(calls.filter(isAcknowledgement)).to.have.length(640);
      expect(calls.filter(isSync).length).to.be.within(10, 60);
    }).timeout(60_000);
  });

  const hasShell = spawnSync('sh', ['-c', 'ulimit -f 100 && trap "" XFSZ'], { stdio: 'ignore' }).status === 0;
  (hasShell ? it : it.skip)(
    `answers that the store takes no events when the disk takes no more, and lives${hasShell ? '' : ' (skipped: no shell that can limit files)'}`,
    async () => {
      // Files of this process cannot grow beyond 2.5 MB (blocks of 512 bytes): a write past that fails.
      const limited = 'trap "" XFSZ; ulimit -f 5000; exec "$0" "$@"';
      const { status, stdout, stderr } = spawnSync('sh', [
        '-c',
        limited,
        process.execPath,
        PROGRAM,
        folder,
        '4000',
        '16',
      ]);
      const lines = String(stdout).split('\n');
      expect(status, String(stderr)).to.equal(0);
      const failed = lines.filter((line) => line.startsWith('failed'));
      expect(failed.length).to.be.greaterThan(0);
      for (const line of failed) expect(line).to.include('"_tag":"StoreReadsOnly"');
      expect(failed.at(-1)).to.include('"why":"full"');
      expect(lines.filter((line) => line.startsWith('report '))).to.have.length(1);
      const acknowledged = lines.filter((line) => line.startsWith('acknowledged '));
      expect(acknowledged.length).to.be.greaterThan(100);
      const eventStore = openEmbeddedEventStore(folder);
      expect(await succeed(eventStore.head())).to.equal(BigInt(acknowledged.length));
      await eventStore.close();
    },
  ).timeout(60_000);

  const hasLimits = hasShell && spawnSync('prlimit', ['--version']).status === 0;
  (hasLimits ? it : it.skip)(
    `goes on where there is room again${hasLimits ? '' : ' (skipped: no prlimit)'}`,
    async () => {
      const limited = 'trap "" XFSZ; ulimit -S -f 5000; exec "$0" "$@"';
      const args = ['-c', limited, process.execPath, PROGRAM, folder, '4000', '16', 'serve', '0', 'patient'];
      const writer = spawn('sh', args, { stdio: ['ignore', 'pipe', 'ignore'] });
      const said: string[] = [];
      let isFull = false;
      const lines = readline.createInterface({ input: writer.stdout });
      lines.on('line', (line) => {
        said.push(line);
        if (!line.startsWith('failed') || isFull) return;
        isFull = true;
        setTimeout(() => spawnSync('prlimit', ['--pid', String(writer.pid), '--fsize=unlimited']), 1_000);
      });
      await once(lines, 'close');
      await expectAllStored(said, 4000);
      expect(said.filter((line) => line.startsWith('failed')).length).to.be.greaterThan(0);
      expect(said.filter((line) => line.startsWith('report '))).to.have.length(2);
    },
  ).timeout(60_000);

  /** Each was acknowledged once and is there once, and reads went on. */
  const expectAllStored = async (said: readonly string[], count: number): Promise<void> => {
    const acknowledged = said.filter((line) => line.startsWith('acknowledged '));
    expect(said.filter((line) => line.startsWith('unread'))).to.deep.equal([]);
    expect(acknowledged).to.have.length(count);
    const eventStore = openEmbeddedEventStore(folder);
    try {
      const events = await succeed(eventStore.readAll(undefined, count + 1));
      const streams = events.map(({ stream }) => `acknowledged ${stream}`);
      expect(new Set(streams)).to.deep.equal(new Set(acknowledged));
      expect(streams).to.have.length(count);
    } finally {
      await eventStore.close();
    }
  };

  // strace counts the calls of each thread by itself.
  const failures: readonly (readonly [string, string])[] = [
    ['a sync', 'fsync:error=EIO:when=7+9'],
    ['syncs for a while', 'fsync:error=EIO:when=5..6'],
    ['a write', 'pwrite64:error=EIO:when=20+50'],
  ];
  for (const [what, injection] of failures) {
    (hasStrace ? it : it.skip)(
      `loses and doubles nothing where ${what} fails${hasStrace ? '' : ' (skipped: no strace)'}`,
      async () => {
        // Only calls on files of the store are hit.
        const file = path.join(folder, 'events.db-wal');
        const paths = ['-P', file, '-P', path.join(folder, 'space.try')];
        const args = [
          '-f',
          '-o',
          '/dev/null',
          ...paths,
          '-e',
          `inject=${injection}`,
          process.execPath,
          PROGRAM,
        ];
        const { status, stdout, stderr } = spawnSync('strace', [
          ...args,
          folder,
          '200',
          '4',
          'serve',
          '0',
          'patient',
        ]);
        expect(status, String(stderr)).to.equal(0);
        const said = String(stdout).split('\n');
        expect(said.filter((line) => line.startsWith('failed')).length, 'failures').to.be.greaterThan(0);
        await expectAllStored(said, 200);
      },
    ).timeout(60_000);
  }

  it('keeps everything acknowledged when the process is killed in the middle of appends', async () => {
    for (let round = 0; round < 5; round += 1) {
      const writer = spawn(process.execPath, [PROGRAM, folder, '1000000', '16'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const acknowledged: string[] = [];
      const lines = readline.createInterface({ input: writer.stdout });
      lines.on('line', (line) => {
        if (line.startsWith('acknowledged ')) acknowledged.push(line.slice('acknowledged '.length));
        if (acknowledged.length === 100 * (round + 1)) writer.kill('SIGKILL');
      });
      await once(lines, 'close');
      const eventStore = openEmbeddedEventStore(folder);
      try {
        expect(acknowledged.length).to.be.at.least(100 * (round + 1));
        for (const stream of acknowledged) {
          expect(
            await succeed(eventStore.read(stream, { direction: 'forwards', limit: 2 })),
            `round ${String(round)}`,
          ).to.have.length(1);
        }
      } finally {
        await eventStore.close();
      }
    }
  }).timeout(60_000);
});
