/** One number for all: what is released is the service. `npx lerna version` and package.json of the root change it. */
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { type ServedApp, serveApp } from './testing/serve-app';
import { version } from './version';

const root = path.resolve(__dirname, '../../..');

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const read = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));

const ownOf = ({ dependencies, devDependencies }: Manifest): readonly string[] =>
  Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name]) => name.startsWith('@pricebook/'))
    .map(([, wanted]) => wanted);

describe('the version', () => {
  let app: ServedApp;
  before(async () => {
    app = await serveApp();
  });
  after(() => {
    app.close();
  });

  it('is the same in every manifest, in lerna.json and in the lockfile', () => {
    const folders = fs.readdirSync(path.join(root, 'packages'));
    const manifests = ['.', ...folders.map((folder) => `packages/${folder}`)].map(
      (folder) => read(`${folder}/package.json`) as Manifest,
    );
    const { packages } = read('package-lock.json') as {
      readonly packages: Readonly<Record<string, Manifest>>;
    };
    const locked = Object.entries(packages)
      .filter(([place]) => /^(packages\/[^/]+)?$/.test(place))
      .map(([, manifest]) => manifest);
    const { version: ofLerna } = read('lerna.json') as Manifest;
    const all = [...manifests, ...locked];
    expect(all).to.have.length(2 * manifests.length);
    expect(
      new Set([ofLerna, ...all.map((manifest) => manifest.version), ...all.flatMap(ownOf)]),
    ).to.deep.equal(new Set([version]));
  });

  it('is that of the OpenAPI document', async () => {
    const document = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
      readonly info: { readonly version: string };
    };
    expect(document.info.version).to.equal(version);
  });

  it('is a label of a metric', async () => {
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics.split('\n')).to.include(`pricebook_build_info{version="${version}"} 1`);
  });
});
