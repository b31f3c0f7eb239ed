/**
 * Makes JavaScript of the packages' TypeScript, file by file and without looking at types, which `npm run check` does.
 * Compiles what has changed since the last time.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { inRoot, readIfThere, root } from './files.mjs';

/** What was compiled last: for each source its time and size, and what it was compiled with. */
const COMPILED = inRoot('.compiled.json');
const INPUTS = ['tsconfig.base.json', 'scripts/compile.mjs', 'node_modules/typescript/package.json'];

/** What another commit left behind has no sources; what Vite builds is no modules for Node. */
const packages = () =>
  fs
    .readdirSync(inRoot('packages'))
    .filter((name) => fs.existsSync(inRoot('packages', name, 'src')))
    .filter((name) => !fs.existsSync(inRoot('packages', name, 'vite.config.mjs')));

const sourcesIn = (name) =>
  fs
    .readdirSync(inRoot('packages', name, 'src'), { recursive: true })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => path.join('packages', name, 'src', file));

const stateOf = (file) => {
  const { mtimeMs, size } = fs.statSync(inRoot(file));
  return `${mtimeMs} ${size}`;
};

const currentState = () => ({
  inputs: INPUTS.map((file) => readIfThere(inRoot(file))).join('\n'),
  sources: Object.fromEntries(
    packages()
      .flatMap(sourcesIn)
      .map((file) => [file, stateOf(file)]),
  ),
});

const compiledState = () => {
  const text = readIfThere(COMPILED);
  return text === '' ? { inputs: '', sources: {} } : JSON.parse(text);
};

/** `ending` takes the place of `ts`. */
const builtFrom = (source, ending) =>
  inRoot(source.replace(/^(packages[\\/][^\\/]+[\\/])src/, '$1dist').replace(/ts$/, ending));

const write = (file, text) => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
};

const compileAll = (sources) => {
  const ts = createRequire(import.meta.url)('typescript');
  const { compilerOptions } = JSON.parse(fs.readFileSync(inRoot('tsconfig.base.json'), 'utf8'));
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, root);
  for (const source of sources) {
    const { outputText, sourceMapText } = ts.transpileModule(fs.readFileSync(inRoot(source), 'utf8'), {
      fileName: inRoot(source),
      compilerOptions: { ...options, emitDeclarationOnly: false },
    });
    write(builtFrom(source, 'js'), outputText);
    write(builtFrom(source, 'js.map'), sourceMapText);
  }
};

/** What is to be done: sources to compile, and sources that are gone, whose tests would go on running. */
const pending = () => {
  const now = currentState();
  const before = compiledState();
  const isComplete = packages().every((name) => fs.existsSync(inRoot('packages', name, 'dist')));
  const isKnown = isComplete && now.inputs === before.inputs;
  return {
    now,
    isKnown,
    changed: Object.keys(now.sources).filter(
      (file) => !isKnown || now.sources[file] !== before.sources[file],
    ),
    gone: Object.keys(before.sources).filter((file) => !(file in now.sources)),
  };
};

export const isCompiled = () => {
  const { changed, gone } = pending();
  return changed.length === 0 && gone.length === 0;
};

export const compile = () => {
  const { now, isKnown, changed, gone } = pending();
  if (!isKnown)
    for (const name of packages())
      fs.rmSync(inRoot('packages', name, 'dist'), { recursive: true, force: true });
  for (const source of gone) {
    for (const ending of ['js', 'js.map', 'd.ts']) fs.rmSync(builtFrom(source, ending), { force: true });
  }
  compileAll(changed);
  write(COMPILED, JSON.stringify(now));
};
