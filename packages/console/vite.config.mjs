/** Builds the console into static files, and fails where its first load becomes too large. */
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { defineConfig } from 'vite';

/** In bytes, compressed as the service sends them: what a browser loads before it shows anything. */
const MAX_FIRST_LOAD = Number(process.env.CONSOLE_MAX_FIRST_LOAD ?? 150 * 1024);

/** As the service compresses. */
const compressedSize = (content) =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length;

const files = (bundle, entry) => {
  const found = new Set();
  const add = (name) => {
    const chunk = bundle[name];
    if (chunk === undefined || found.has(name)) return;
    found.add(name);
    for (const one of chunk.imports ?? []) add(one);
    for (const one of chunk.viteMetadata?.importedCss ?? []) add(one);
  };
  add(entry);
  return [...found];
};

const firstLoad = () => ({
  name: 'first-load',
  // Before anything is written, and after the page itself has been put among the files.
  generateBundle: {
    order: 'post',
    handler(options, bundle) {
      const entry = Object.values(bundle).find(({ isEntry }) => isEntry)?.fileName;
      if (entry === undefined) throw new Error('The console has no entry.');
      const size = ['index.html', ...files(bundle, entry)].reduce((sum, name) => {
        const { code, source } = bundle[name];
        return sum + compressedSize(code ?? source);
      }, 0);
      if (size > MAX_FIRST_LOAD) {
        throw new Error(
          `The first load of the console has ${size} bytes; at most ${MAX_FIRST_LOAD} are allowed.`,
        );
      }
    },
  },
});

export default defineConfig({
  root: import.meta.dirname,
  // The service may be below the path of a proxy: files find each other, and the page finds them, by relative paths.
  base: './',
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `console/${file}` : { relative: true }),
  },
  resolve: {
    alias: {
      // Its sources, of which only what the page uses comes along.
      '@pricebook/domain': path.join(import.meta.dirname, '../domain/src/index.ts'),
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { target: 'es2023', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  plugins: [firstLoad()],
});
