/**
 * What the API has changed since its last release, by comparing the OpenAPI document of the present service with the
 * newest of docs/openapi. Fails at a breaking change for which docs/openapi/accepted-changes.json gives no reason: see
 * docs/versioning.md.
 *
 *   npm run api:changes                       a summary
 *   node scripts/api-changes.mjs --markdown   the whole changelog as Markdown
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bringGo, isThere, run, withService } from './brought.mjs';
import { inRoot } from './files.mjs';
import { setUp } from './set-up.mjs';

await setUp({ withDeveloperTools: true });

/** As oasdiff counts. */
const BREAKING = 3;

const FOLDER = inRoot('docs/openapi');
const released = fs
  .readdirSync(FOLDER)
  .filter((name) => /^\d+[.]\d+[.]\d+[.]json$/.test(name))
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  .at(-1);

const accepted = JSON.parse(fs.readFileSync(path.join(FOLDER, 'accepted-changes.json'), 'utf8')).map(
  ({ id, says, reason }) => ({ id: new RegExp(`^${id}$`), says: new RegExp(says), reason }),
);
const reasonOf = ({ id, text }) =>
  accepted.find((change) => change.id.test(id) && change.says.test(text))?.reason;

if (!isThere('go')) {
  console.log('Changes of the API: skipped, since there is no go.');
  process.exit(0);
}
const oasdiff = bringGo('tools/oasdiff', 'github.com/oasdiff/oasdiff');

/** What oasdiff says of the changes, in each of these formats. */
const changelogs = async (formats) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-document-'));
  const present = path.join(folder, 'openapi.json');
  try {
    await withService(async ({ address }) => {
      fs.writeFileSync(present, await (await fetch(`${address}/openapi.json`)).text());
    });
    const documents = [path.join(FOLDER, released), present];
    return formats.map((format) =>
      run(oasdiff, ['changelog', ...documents, '--flatten-allof', '--format', format]),
    );
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
};

const [json, markdown] = await changelogs(['json', 'markdown']);
const changes = JSON.parse(json);
const breaking = changes.filter(({ level }) => level === BREAKING);
const unexplained = breaking.filter((change) => reasonOf(change) === undefined);
const place = ({ operation = '', path: where = '' }) => [operation, where].filter(Boolean).join(' ');

if (process.argv.includes('--markdown')) console.log(markdown);
else {
  for (const change of changes.filter(({ id }) => id.startsWith('endpoint-') || id.startsWith('api-removed')))
    console.log(`${place(change)}: ${change.text}`);
  console.log(
    `Since ${released}: ${changes.length} changes of the document, ${breaking.length} of them breaking by the rules ` +
      `of oasdiff, ${breaking.length - unexplained.length} of these explained.`,
  );
}
for (const change of unexplained)
  console.error(`BREAKING, and not explained: ${place(change)}: ${change.id}: ${change.text}`);
process.exitCode = unexplained.length > 0 ? 1 : 0;
