/** The package as others get it: packed, unpacked beside its dependencies, and used in each way there is. */
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const packageFolder = path.resolve(__dirname, '..');
const rootModules = path.resolve(packageFolder, '../../node_modules');

const run = (command: string, args: readonly string[], cwd: string): string => {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')}:\n${stdout ?? ''}${stderr ?? ''}`, { cause: error });
  }
};

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const snippetOf = (markdown: string): string => {
  const snippet = /^```ts\n(.*?)^```$/ms.exec(markdown)?.[1];
  if (snippet === undefined) throw new Error('the README has no snippet');
  return snippet;
};

const usage = `
const id = '019a9b3c-1d2e-7f30-8a4b-5c6d7e8f9a0b';
const stamp = { revision: 1, occurredAt: '2026-01-01T00:00:00.000Z', actor: 'me' };
const product = cellAfter(undefined, { type: 'override', amount: 0.1 }, stamp);
const allProducts = cellAfter(undefined, { type: 'percent', amount: 200 }, stamp);
const answer = resolvePrice(
  [{ priceBookId: priceBookIdCodec.decode(id).right, product, allProducts }],
  currencyCodec.decode('usd').right,
  noParameters,
);
console.log(answer.right.price);
`;
const names = 'cellAfter, currencyCodec, noParameters, priceBookIdCodec, resolvePrice';

describe('The package that others get', function () {
  this.timeout(60_000);

  let folder = '';
  let manifest: Manifest;
  let files: readonly string[] = [];

  const write = (name: string, text: string): void => {
    writeFileSync(path.join(folder, name), text);
  };
  const node = (name: string): string => run(process.execPath, [name], folder).trim();

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'pricebook-domain-'));
    manifest = JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8')) as Manifest;
    const options = ['--ignore-scripts', '--no-update-notifier', '--pack-destination', folder];
    run(process.execPath, [path.join(rootModules, 'typescript/bin/tsc'), '-b'], packageFolder);
    run('npm', ['pack', ...options], packageFolder);
    const tarball = `pricebook-domain-${manifest.version}.tgz`;
    files = run('tar', ['-tzf', tarball], folder).trim().split('\n');
    const installed = path.join(folder, 'node_modules/@pricebook/domain');
    mkdirSync(installed, { recursive: true });
    run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed], folder);
    for (const name of Object.keys(manifest.dependencies)) {
      const link = path.join(folder, 'node_modules', name);
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(path.join(rootModules, name), link);
    }
    write('package.json', '{ "name": "consumer", "private": true }');
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('holds what runs, its types, its README, and nothing else', () => {
    const others = files.filter((file) => !/^package\/dist\/[a-z/-]+\.(js|js\.map|d\.ts)$/.test(file));
    expect([...others].sort()).to.deep.equal(['package/README.md', 'package/package.json']);
    expect(files).to.include.members(['package/dist/index.js', 'package/dist/index.d.ts']);
  });

  it('holds no tests, no sources and no build information', () => {
    expect(files.filter((file) => /test|\/src\/|tsbuildinfo|node_modules/.test(file))).to.deep.equal([]);
  });

  it('is nobody else’s to use', () => {
    expect(manifest.license).to.equal('UNLICENSED');
  });

  it('loads with require', () => {
    write('use.cjs', `const { ${names} } = require('@pricebook/domain');${usage}`);
    expect(node('use.cjs')).to.equal('0.3');
  });

  it('loads with import, by names', () => {
    write('use.mjs', `import { ${names} } from '@pricebook/domain';${usage}`);
    expect(node('use.mjs')).to.equal('0.3');
  });

  it('shows its front door only', () => {
    write('inside.cjs', "require('@pricebook/domain/dist/amounts.js');");
    expect(() => node('inside.cjs')).to.throw('ERR_PACKAGE_PATH_NOT_EXPORTED');
    write('manifest.cjs', "console.log(require('@pricebook/domain/package.json').name);");
    expect(node('manifest.cjs')).to.equal('@pricebook/domain');
  });

  it('compiles under strict TypeScript, as CommonJS and as ES module, and runs the snippet of its README', () => {
    const snippet = snippetOf(readFileSync(path.join(packageFolder, 'README.md'), 'utf8'));
    write('readme.cts', snippet);
    write('readme.mts', snippet);
    // A wrong use must not compile: the types have not fallen back to any.
    write(
      'wrong.mts',
      "import { noParameters, resolvePrice } from '@pricebook/domain';\n// @ts-expect-error\nresolvePrice([], 'USD', noParameters);\n",
    );
    // Only the codec makes the rows of a table: it checks and orders them, and the resolution relies on that.
    write(
      'unchecked.mts',
      "import { cellAfter } from '@pricebook/domain';\n" +
        'const tiers = [{ firstUnit: 10, lastUnit: null, unitPrice: 15 }, { firstUnit: 1, lastUnit: 9, unitPrice: 20 }];\n' +
        "// @ts-expect-error\ncellAfter(undefined, { type: 'volume', tiers }, { revision: 1, occurredAt: '', actor: '' });\n",
    );
    const options = {
      module: 'node16',
      target: 'es2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      types: ['node'],
      typeRoots: [path.join(rootModules, '@types')],
    };
    write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['*.cts', '*.mts'] }));
    run(process.execPath, [path.join(rootModules, 'typescript/bin/tsc'), '-p', '.'], folder);
    expect(node('readme.cjs')).to.equal('110');
    expect(node('readme.mjs')).to.equal('110');
  });
});
