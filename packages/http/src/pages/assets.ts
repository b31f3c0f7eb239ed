/** The files that pages load: ours, and those of Swagger UI out of its npm package. */
import fs from 'node:fs/promises';
import Router from '@koa/router';
import { REVALIDATE } from '../answer-headers';
import { FOR_A_YEAR, sendTagged, versionOf } from './send-tagged';

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** Found at the start, so that one that was not installed is known then. */
const FILES = {
  'pages.css': { type: STYLE, file: require.resolve('../../assets/pages.css') },
  'icon.svg': { type: 'image/svg+xml', file: require.resolve('../../assets/icon.svg') },
  'docs.css': { type: STYLE, file: require.resolve('../../assets/docs.css') },
  'docs.js': { type: SCRIPT, file: require.resolve('../../assets/docs.js') },
  'swagger-ui.css': { type: STYLE, file: require.resolve('swagger-ui-dist/swagger-ui.css') },
  'swagger-ui-bundle.js': { type: SCRIPT, file: require.resolve('swagger-ui-dist/swagger-ui-bundle.js') },
} as const;

type AssetName = keyof typeof FILES;

interface Asset {
  readonly type: string;
  readonly content: Buffer;
  readonly version: string;
}

export interface Assets {
  readonly routes: Router;
  /** Where an asset is, from the root of the service, with its version. */
  readonly pathOf: (name: AssetName) => Promise<string>;
}

const isName = (name: string | undefined): name is AssetName =>
  name !== undefined && Object.hasOwn(FILES, name);

const read = async (name: AssetName): Promise<Asset> => {
  const { type, file } = FILES[name];
  const content = await fs.readFile(file);
  return { type, content, version: versionOf(content) };
};

/** Each is read when it is first asked for, and kept from then on: some 2 MB once somebody has seen the docs. */
export const createAssets = (): Assets => {
  const kept = new Map<AssetName, Promise<Asset>>();

  const assetOf = (name: AssetName): Promise<Asset> => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const asset = read(name);
    kept.set(name, asset);
    // Whoever asks next tries anew.
    asset.catch(() => kept.delete(name));
    return asset;
  };

  const routes = new Router({ sensitive: true, strict: true });
  routes.get('/assets/:name', async (context) => {
    const { name } = context.params;
    if (!isName(name)) return;
    const asset = await assetOf(name);
    // Two instances may be of two versions: what another one's page asks for is answered, but not to be kept.
    const isOfVersion = context.query['v'] === asset.version;
    sendTagged(context, { ...asset, cacheControl: isOfVersion ? FOR_A_YEAR : REVALIDATE });
  });
  return { routes, pathOf: async (name) => `assets/${name}?v=${(await assetOf(name)).version}` };
};
