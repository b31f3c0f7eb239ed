/** Hash chains through the real commands: made by a service, exported, digested, compared and verified. */
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { openEmbeddedEventStore } from '@pricebook/embedded';
import { eventStoreDbName, startStandIn } from '@pricebook/eventstoredb/testing';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { v4 } from 'uuid';
import { type CommandRun, runCommand as run } from '@pricebook/service/testing';
import { codeBlocksBelow } from '../testing/markdown';
import { newFolder, startTestService } from '../testing/test-service';
import { createBook, override, runVerify, setPrice } from '../testing/verify';

const AUDIT_PAGE = path.resolve(__dirname, '../../../../docs/audit.md');

describe('hash chains, from the service to the commands', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });

  const at = (name: string): string => path.join(folder, name);
  const embedded = (name = 'store') => ({ PRICEBOOK_DATA_DIR: at(name) });
  const succeed = async (...args: Parameters<typeof run>): Promise<CommandRun> => {
    const ended = await run(...args);
    expect(ended.status, ended.said).to.equal(0);
    return ended;
  };
  /** Sets prices in a new book, beside whatever there is. */
  const write = async (prices: number): Promise<string> => {
    const service = await startTestService(at('store'));
    try {
      const book = await createBook(service, 'List');
      for (let n = 1; n <= prices; n += 1) await setPrice(service, book, 'lamp', override(n + 0.99));
      return book;
    } finally {
      await service.stop();
    }
  };
  const edit = (from: string, to: string, change: (text: string) => string): void => {
    fs.writeFileSync(at(to), change(fs.readFileSync(at(from), 'utf8')));
  };
  const linesOf = (name: string): readonly string[] =>
    fs.readFileSync(at(name), 'utf8').trimEnd().split('\n');

  it('show a changed amount in an export, which is then refused', async () => {
    const book = await write(3);
    await succeed(['export', '--file', at('history.jsonl')], embedded());
    expect((await succeed(['import', '--check', at('history.jsonl')], embedded())).said).to.equal(
      'No faults: 4 sound events of 1 stream.\n',
    );
    edit('history.jsonl', 'edited.jsonl', (text) => text.replace('"amount":2.99', '"amount":1.99'));
    const fault = `Line 3: revision 2 of priceBook-${book} does not match its hash: it was changed after it was written.`;
    const checked = await run(['import', '--check', at('edited.jsonl')], embedded());
    expect([checked.status, checked.said.split('\n')[0]]).to.deep.equal([1, fault]);
    const imported = await run(['import', at('edited.jsonl')], embedded('other'));
    expect([imported.status, imported.said]).to.deep.include(1);
    expect(imported.said).to.include(fault).and.to.include('Export the history again.');
  });

  it('can be recomputed from an export by anyone: each hash is that of its line without it', async () => {
    await write(2);
    await succeed(['export', '--file', at('history.jsonl')], embedded());
    const [snippet] = codeBlocksBelow(fs.readFileSync(AUDIT_PAGE, 'utf8'), '### Recompute a hash');
    const { stdout } = await promisify(execFile)('bash', ['-c', snippet?.text ?? ''], { cwd: folder });
    expect(linesOf('history.jsonl')[0]).to.include(`,"hash":"${stdout}"}}`);
    let previous = '';
    for (const line of linesOf('history.jsonl')) {
      const [, kept] = /,"hash":"([^"]+)"\}\}$/.exec(line) ?? [];
      expect(hash('sha256', line.replace(/,"hash":"[^"]+"\}\}$/, '}}'), 'base64url')).to.equal(kept);
      expect(line).to.include(previous);
      previous = `"previousHash":"${String(kept)}"`;
    }
  });

  it(`are the same on ${eventStoreDbName}, and so is the digest`, async () => {
    await write(3);
    await write(1);
    await succeed(['export', '--file', at('history.jsonl')], embedded());
    const digest = (await succeed(['history', '--digest'], embedded())).output;
    const server = await startStandIn();
    try {
      const onServer = { EVENTSTOREDB_URL: server.url, PRICEBOOK_DATA_DIR: at('unused') };
      await succeed(['import', at('history.jsonl')], onServer);
      expect((await succeed(['history', '--digest'], onServer)).output).to.equal(digest);
      await succeed(['export', '--file', at('back.jsonl')], onServer);
    } finally {
      await server.stop();
    }
    expect(linesOf('back.jsonl')).to.deep.equal(linesOf('history.jsonl'));
  });

  it('show by a digest what was cut off, removed or written again, and nothing where they have only grown', async () => {
    const first = await write(3);
    const second = await write(1);
    const { output, said } = await succeed(['history', '--digest'], embedded());
    expect(said).to.equal('Digest of 6 events of 2 streams.\n');
    fs.writeFileSync(at('digest.jsonl'), output);
    const [, , last = ''] = linesOf('digest.jsonl');
    const { hash: whole } = JSON.parse(last) as { readonly hash: string };
    expect(hash('sha256', output.replace(`${last}\n`, ''), 'base64url')).to.equal(whole);
    await write(1);
    const compare = (environment = embedded()) =>
      run(['history', '--digest', '--check', at('digest.jsonl')], environment);
    expect(await compare()).to.deep.equal({
      status: 0,
      output: '',
      said: `Compared 6 events of 2 streams in the digest ${whole} with 8 events of 3 streams: nothing changed, nothing missing.\n`,
    });

    await succeed(['export', '--file', at('history.jsonl')], embedded());
    edit('history.jsonl', 'cut.jsonl', (text) => text.split('\n').slice(0, 3).join('\n'));
    await succeed(['import', at('cut.jsonl')], embedded('cut'));
    const cut = await compare(embedded('cut'));
    expect([cut.status, cut.output.trimEnd().split('\n').sort()]).to.deep.equal([
      1,
      [
        `cut off: priceBook-${first} ends at revision 2, and the digest has it up to 3`,
        `gone: priceBook-${second}, which the digest has up to revision 1`,
      ],
    ]);

    // Without any hashes it can be imported; what the events hash to is still not what it was.
    edit('history.jsonl', 'stripped.jsonl', (text) =>
      text
        .replaceAll(/(,"previousHash":"[^"]+")?,"hash":"[^"]+"\}\}$/gm, '}}')
        .replace('"amount":2.99', '"amount":1.99'),
    );
    const stripped = await succeed(['import', '--check', at('stripped.jsonl')], embedded());
    expect(stripped.said).to.include('Changes in 3 streams without hashes are not detected.');
    await succeed(['import', at('stripped.jsonl')], embedded('stripped'));
    const again = await compare(embedded('stripped'));
    expect([again.status, again.output]).to.deep.equal([
      1,
      `changed: priceBook-${first} up to revision 3 is not what the digest has\n`,
    ]);

    edit('digest.jsonl', 'digest.jsonl', (text) => text.replace('"revision":3', '"revision":2'));
    const edited = await compare();
    expect([edited.status, edited.said]).to.deep.equal([
      2,
      `${at('digest.jsonl')} is not a digest, or it was changed.\n`,
    ]);
  });

  it('show an event in the store that the service did not write', async () => {
    const book = await write(2);
    const eventStore = openEmbeddedEventStore(at('store'));
    const stream = `priceBook-${book}`;
    const stored = await eventStore.read(stream, { direction: 'backwards', limit: 1 })();
    const [last] = E.isRight(stored) ? stored.right : [];
    if (last === undefined) throw new Error('a price was set');
    await eventStore.append(stream, 2, [{ ...last, id: v4() }])();
    await eventStore.close();
    const service = await startTestService(at('store'));
    await setPrice(service, book, 'lamp', override(9));
    await service.stop();
    const finding = `broken chain: revision 3 of ${stream} does not match its hash: it was changed after it was written`;
    const verified = await runVerify(embedded());
    expect([verified.status, verified.found]).to.deep.equal([1, [finding]]);
    const [json] = (await runVerify(embedded(), '--json')).found;
    expect(JSON.parse(json ?? '')).to.include({ kind: 'broken chain', stream, revision: 3 });
    const digest = await run(['history', '--digest'], embedded());
    expect([digest.status, digest.said.split('\n')[0], digest.output.split('\n').length]).to.deep.equal([
      1,
      finding,
      3,
    ]);
    const checked = await run(['history', '--digest', '--check', at('none.jsonl')], embedded());
    expect([checked.status, checked.said]).to.deep.equal([2, `There is no file ${at('none.jsonl')}.\n`]);
  });
}).timeout(60_000);
