/** Where a key must never be found: logs, outputs, arguments, events, files. */
import fs from 'node:fs';
import path from 'node:path';
import { openEmbeddedEventStore } from '@pricebook/embedded';
import { expect } from 'chai';
import { allEvents } from '../testing/audit';
import { runCommand } from '@pricebook/service/testing';
import { startProcess } from '../testing/service-process';
import { newFolder } from '../testing/test-service';

/** What of a key is secret, and what would be enough of it to be warned. */
const secretOf = (key: string): string => key.slice('pbk_00000000_'.length, -6);

describe('the secret part of a key', () => {
  const folder = newFolder();
  after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('is in no log, no answer but the one that shows it, no arguments, no event and no file', async () => {
    const bootstrapKey = 'a-bootstrap-key-that-nobody-is-to-see';
    const environment = { PRICEBOOK_DATA_DIR: folder, LOG_LEVEL: 'trace', PORT: '0' };
    const service = startProcess(['serve'], { ...environment, PRICEBOOK_BOOTSTRAP_KEY: bootstrapKey });
    const seen: string[] = [];
    const keys: string[] = [];
    try {
      const url = await service.ready;
      const ask = async (method: string, target: string, key: string, body?: string) => {
        const answer = await fetch(url + target, {
          method,
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          ...(body !== undefined && { body }),
        });
        return { status: answer.status, text: await answer.text(), headers: [...answer.headers].join('\n') };
      };
      const created = await ask(
        'POST',
        '/v1/api-keys',
        bootstrapKey,
        JSON.stringify({ name: 'A key', scopes: ['admin'] }),
      );
      expect(created.status).to.equal(201);
      const { key: byApi, id } = JSON.parse(created.text) as { readonly key: string; readonly id: string };
      keys.push(byApi);
      seen.push(created.headers);

      const run = async (args: readonly string[]): Promise<string> => {
        const { status, output, said } = await runCommand(args, environment);
        expect(status, said).to.equal(0);
        seen.push(said);
        return output;
      };
      const byCommand = (await run(['keys', 'create', '--name', 'B key', '--scope', 'write'])).trim();
      keys.push(byCommand);
      seen.push(await run(['keys', 'list']), await run(['keys', 'list', '--json']));
      seen.push(await run(['export']));

      // Everything that a key can meet with, errors included.
      const mistyped = `${byApi.slice(0, -1)}${byApi.endsWith('0') ? '1' : '0'}`;
      for (const key of [byApi, byCommand, mistyped, `${byApi}, ${byApi}`, bootstrapKey]) {
        for (const [method, target, body] of [
          ['GET', '/v1/api-keys'],
          ['GET', '/v1/pricebooks'],
          ['POST', '/v1/pricebooks', '{"name":"A"}'],
          ['POST', '/v1/pricebooks', '{"name":'],
          ['POST', '/v1/api-keys', '{"scopes":7}'],
          ['DELETE', '/v1/api-keys/unknown1'],
          ['DELETE', `/v1/api-keys/${byCommand}`],
          ['GET', '/v1/nothing'],
        ] as const) {
          const { text, headers } = await ask(method, target, key, body);
          seen.push(text, headers);
        }
      }
      const commandLine = `/proc/${String(service.child.pid)}/cmdline`;
      if (fs.existsSync(commandLine)) seen.push(fs.readFileSync(commandLine, 'utf8'));
      expect((await ask('DELETE', `/v1/api-keys/${id}`, byApi)).status).to.equal(204);
      seen.push((await ask('GET', '/v1/pricebooks', byApi)).text);
      seen.push(
        await (await fetch(`${url}/metrics`)).text(),
        await (await fetch(`${url}/health/ready`)).text(),
      );
    } finally {
      service.child.kill('SIGTERM');
      await service.ended;
    }
    expect(service.output()).to.include('"path":"/v1/api-keys"');
    seen.push(service.output());
    const eventStore = openEmbeddedEventStore(folder, 'read');
    const events = await allEvents(eventStore);
    await eventStore.close();
    expect(events.filter(({ type }) => type.startsWith('ApiKey'))).to.have.length(3);
    seen.push(
      JSON.stringify(events, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    );
    const files = fs.readdirSync(folder);
    expect(files).to.include.members(['events.db', 'key-uses.json', 'serving.lock']);
    // The rest is for the user of the service, and its group where that may.
    for (const file of files) expect(fs.statSync(path.join(folder, file)).mode & 0o007, file).to.equal(0);
    for (const file of files) seen.push(fs.readFileSync(path.join(folder, file)).toString('latin1'));

    const secrets = [...keys.map(secretOf), bootstrapKey];
    expect(secrets.map((secret) => secret.length)).to.deep.equal([32, 32, bootstrapKey.length]);
    for (const secret of secrets) {
      for (const text of seen) {
        const at = text.indexOf(secret);
        expect(at, text.slice(Math.max(0, at - 200), at)).to.equal(-1);
      }
    }
  }).timeout(30_000);
});
