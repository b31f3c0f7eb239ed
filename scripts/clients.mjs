/**
 * Makes clients from the OpenAPI document with OpenAPI Generator, compiles them, and has each run the story of the
 * README against the service: Java, Go, Python and TypeScript. Says what it leaves out because a tool is missing.
 *
 *   npm run clients [-- java go ...]
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bringJar, bringPython, isThere, run, withService } from './brought.mjs';
import { inRoot } from './files.mjs';
import { setUp } from './set-up.mjs';

await setUp({ withDeveloperTools: true });

const GENERATOR = 'org.openapitools:openapi-generator-cli:7.25.0';
const CHECKSUM = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';

/** As docs/api.md recommends: answers may get new fields, and a union is told by its discriminator. */
const OPTIONS = 'disallowAdditionalPropertiesIfNotPresent=false,useOneOfDiscriminatorLookup=true';

const story = (name) => inRoot('tools/generated-clients', name);

const filesBelow = (folder, ending) =>
  fs
    .readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name));

/** Each compiles the client in a folder, if need be, and runs its story. */
const LANGUAGES = {
  java: {
    needs: ['javac'],
    run: (folder, env) => {
      const jars = path.join(folder, 'jars', '*');
      run(
        'mvn',
        ['-q', '-B', 'dependency:copy-dependencies', '-DincludeScope=compile', '-DoutputDirectory=jars'],
        {
          cwd: folder,
        },
      );
      const sources = [...filesBelow(path.join(folder, 'src/main'), '.java'), story('Story.java')];
      fs.writeFileSync(path.join(folder, 'sources'), sources.join('\n'));
      run('javac', ['-nowarn', '-cp', jars, '-d', 'classes', '@sources'], { cwd: folder });
      run('java', ['-cp', `classes${path.delimiter}${jars}`, 'Story'], { cwd: folder, env });
    },
  },
  go: {
    needs: ['go'],
    options: ['--git-host', 'example.com', '--git-user-id', 'pricebook', '--git-repo-id', 'client'],
    run: (folder, env) => {
      fs.mkdirSync(path.join(folder, 'story'));
      fs.copyFileSync(story('story.go'), path.join(folder, 'story/main.go'));
      run('go', ['mod', 'tidy'], { cwd: folder });
      run('go', ['vet', '.'], { cwd: folder });
      run('go', ['run', './story'], { cwd: folder, env });
    },
  },
  python: {
    needs: ['python3'],
    run: (folder, env) => {
      const bin = bringPython('tools/generated-clients/requirements.txt');
      run(path.join(bin, 'python'), [story('story.py')], {
        cwd: folder,
        env: { ...env, PYTHONPATH: folder },
      });
    },
  },
  'typescript-fetch': {
    needs: [],
    more: ',importFileExtension=.js',
    run: (folder, env) => {
      const program = path.join(folder, 'program');
      fs.mkdirSync(program);
      fs.copyFileSync(story('story.ts'), path.join(program, 'story.ts'));
      fs.writeFileSync(path.join(program, 'package.json'), '{ "type": "module" }');
      fs.renameSync(path.join(folder, 'client'), path.join(program, 'client'));
      const compilerOptions = {
        module: 'node20',
        target: 'es2023',
        lib: ['es2023', 'dom'],
        strict: true,
        types: ['node'],
        typeRoots: [inRoot('node_modules/@types')],
      };
      fs.writeFileSync(path.join(program, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
      run(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '-p', program]);
      run(process.execPath, [path.join(program, 'story.js')], { env });
    },
  },
};

const asked = process.argv.slice(2);
const names = Object.keys(LANGUAGES).filter((name) => asked.length === 0 || asked.includes(name));

const tryLanguage = (name, jar, folder, env) => {
  const { options = [], more = '', run: runStory } = LANGUAGES[name];
  const output = name === 'typescript-fetch' ? path.join(folder, 'client') : folder;
  run('java', [
    ...['-jar', jar, 'generate', '-i', path.join(folder, 'openapi.json'), '-g', name, '-o', output],
    ...['--additional-properties', OPTIONS + more, ...options],
    ...['--global-property', 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'],
  ]);
  runStory(folder, env);
};

const missing = ['java', 'mvn'].filter((tool) => !isThere(tool));
if (missing.length > 0) {
  console.log(`Generated clients: skipped, since there is no ${missing.join(' and no ')}.`);
  process.exit(0);
}
const jar = bringJar(GENERATOR, CHECKSUM);
const failed = await withService(async ({ address, key }) => {
  const document = await (await fetch(`${address}/openapi.json`)).text();
  const failures = [];
  for (const name of names) {
    const without = LANGUAGES[name].needs.filter((tool) => !isThere(tool));
    if (without.length > 0) {
      console.log(`Client for ${name}: skipped, since there is no ${without.join(' and no ')}.`);
      continue;
    }
    const started = performance.now();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), `pricebook-${name}-`));
    try {
      fs.writeFileSync(path.join(folder, 'openapi.json'), document);
      tryLanguage(name, jar, folder, { PRICEBOOK_URL: address, PRICEBOOK_KEY: key });
      console.log(`Client for ${name}: runs (${((performance.now() - started) / 1_000).toFixed(0)} s).`);
    } catch (error) {
      failures.push(name);
      console.log(`Client for ${name}: FAILED\n${error.message}`);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }
  return failures;
});
process.exitCode = failed.length > 0 ? 1 : 0;
