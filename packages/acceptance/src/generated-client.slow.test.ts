/** A client made from the document by a generator of others: the program of docs/api.md, compiled and run. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import openapiTS, { astToString } from 'openapi-typescript';
import { codeBlocks } from './testing/markdown';
import { newFolder } from './testing/test-service';
import { type ServiceProcess, startProcess } from './testing/service-process';

const root = path.resolve(__dirname, '../../..');
const KEY = 'a-bootstrap-key-for-a-client';
const run = promisify(execFile);

/** None of these compiles: the types have not fallen back to any. */
const WRONG = `
import createClient from 'openapi-fetch';
import type { paths } from './price-books.js';

const api = createClient<paths>({ baseUrl: '' });
// @ts-expect-error -- a name is needed
void api.POST('/v1/pricebooks', { body: {} });
// @ts-expect-error -- no such path
void api.GET('/v1/price-books', {});
const adjust = (adjustment: NonNullable<unknown>) => adjustment;
void api.PUT('/v1/pricebooks/{priceBookId}/prices', {
  params: { path: { priceBookId: '' } },
  // @ts-expect-error -- an amount is a number
  body: [{ productId: 'lamp', adjustments: { USD: { type: 'override', amount: adjust('49.99') } } }],
});
void api.GET('/v1/pricebooks').then(({ data }) => {
  // @ts-expect-error -- no such field
  return data?.[0]?.colour;
});
`;

describe('A client generated from the OpenAPI document', function () {
  this.timeout(120_000);
  const data = newFolder();
  // Where Node and the compiler find what is installed, and git looks at nothing.
  const folder = fs.mkdtempSync(path.join(root, 'packages/acceptance/dist/client-'));
  let service: ServiceProcess;
  let address = '';

  before(async () => {
    service = startProcess(['serve'], {
      PORT: '0',
      PRICEBOOK_DATA_DIR: data,
      PRICEBOOK_BOOTSTRAP_KEY: KEY,
      LOG_LEVEL: 'silent',
    });
    address = await service.ready;
    const document = (await (await fetch(`${address}/openapi.json`)).json()) as object;
    fs.writeFileSync(path.join(folder, 'price-books.ts'), astToString(await openapiTS(document as never)));
    fs.writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    fs.writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          module: 'node20',
          target: 'es2023',
          strict: true,
          noUncheckedIndexedAccess: true,
          exactOptionalPropertyTypes: true,
          types: ['node'],
          typeRoots: [path.join(root, 'node_modules/@types')],
        },
        include: ['*.ts'],
      }),
    );
  });
  after(async () => {
    service.child.kill();
    await service.ended;
    for (const made of [folder, data]) fs.rmSync(made, { recursive: true, force: true });
  });

  it('compiles, and nothing compiles that the API does not have', async () => {
    const [program = ''] = codeBlocks(fs.readFileSync(path.join(root, 'docs/api.md'), 'utf8'), 'ts');
    expect(program).to.include('http://127.0.0.1:3000');
    fs.writeFileSync(path.join(folder, 'story.ts'), program.replace('http://127.0.0.1:3000', address));
    fs.writeFileSync(path.join(folder, 'wrong.ts'), WRONG);
    const { stdout } = await run(process.execPath, [
      path.join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      folder,
    ]).catch((error: unknown) => error as { readonly stdout: string });
    expect(stdout).to.equal('');
  });

  it('does what the README does by hand', async () => {
    const { stdout } = await run(process.execPath, [path.join(folder, 'story.js')], {
      env: { ...process.env, PRICEBOOK_KEY: KEY },
    });
    expect(stdout.trim().split('\n')).to.deep.equal([
      'The lamp costs 54.99 USD.',
      'override 49.99',
      'percent 10',
      'The product has no list price in this currency, in this book or in its bases.',
    ]);
  });
});
