/** `pricebook history --digest`: prints a digest of all events, or compares the events with one that was kept. */
import { type ChainCheck, type ChainedEvent, createChainCheck } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { finishing, readOptions, say } from '../command-line/command';
import { openInputFile } from '../command-line/input-file';
import { STORE_PATIENCE_MS } from '../command-line/patience';
import { progressBar, share } from '../command-line/progress';
import { count, unhashedSentence } from '../command-line/sentences';
import type { Shell } from '../command-line/shell';
import { printable } from '../command-line/terminal';
import { readPages } from '../history-file/export-history';
import { toStream } from '../history-file/export-target';
import { exportErrorSentence } from '../history-file/sentences';
import { type Closers, openEventStoreAlone, orThrow } from '../stores';
import { brokenChainSentence } from './difference-sentence';
import { decodeDigest, type Digest, digestOf, encodeDigest, missingFrom } from './digest';

const [NOTHING_FOUND, FOUND, NOT_READ] = [0, 1, 2];

/**
 * Checks the chains of all events.
 *
 * @param visit given each event, and its hash.
 * @throws Error with a sentence where the events cannot be read to the end.
 */
const readChains = async (
  shell: Shell,
  closers: Closers,
  findings: string[],
  visit: (event: ChainedEvent, hash: string | undefined) => void,
): Promise<ChainCheck> => {
  const options = readOptions(shell);
  const { eventStore } = await openEventStoreAlone('read', options, closers);
  const head = orThrow(await eventStore.head()());
  const chain = createChainCheck();
  const bar = progressBar(shell, 'Read', true);
  closers.add(bar.end);
  let events = 0;
  for await (const page of readPages(eventStore, { ms: STORE_PATIENCE_MS, signal: options.signal })) {
    if (E.isLeft(page)) throw new Error(exportErrorSentence(page.left));
    for (const event of page.right) {
      const fault = chain.add(event);
      if (fault !== undefined) findings.push(brokenChainSentence(fault));
      visit(event, chain.heads.get(event.stream)?.hash);
    }
    events += page.right.length;
    bar.update(events, share(page.right.at(-1)?.position, head));
  }
  return chain;
};

const linesOf = (findings: readonly string[]): string =>
  findings.map((finding) => `${printable(finding)}\n`).join('');

const extentOf = ({ events, heads }: Digest): string =>
  `${count(events, 'event')} of ${count(heads.size, 'stream')}`;

/** Prints a digest; exit status 1 where it is of events that are not what was written. */
export const printDigest = (shell: Shell): Promise<void> =>
  finishing(
    shell,
    async (closers) => {
      const findings: string[] = [];
      const chain = await readChains(shell, closers, findings, () => undefined);
      shell.errors.write(linesOf(findings));
      const digest = digestOf(chain.heads);
      await toStream(shell.output).write(encodeDigest(digest));
      say(shell, `Digest of ${extentOf(digest)}.${unhashedSentence(chain.unhashedStreams())}`);
      return findings.length === 0 ? NOTHING_FOUND : FOUND;
    },
    NOT_READ,
  );

/** Compares the events with a digest; exit status 1 where they do not continue what it has. */
export const compareDigest = (shell: Shell, file: string): Promise<void> =>
  finishing(
    shell,
    async (closers) => {
      const handle = await openInputFile(file);
      closers.add(() => handle.close());
      const kept = decodeDigest(await handle.readFile('utf8'));
      if (kept === undefined) throw new Error(`${file} is not a digest, or it was changed.`);
      const findings: string[] = [];
      const chain = await readChains(shell, closers, findings, ({ stream, revision }, hash) => {
        const then = kept.heads.get(stream);
        if (then?.revision !== revision || then.hash === hash) return;
        findings.push(`changed: ${stream} up to revision ${String(revision)} is not what the digest has`);
      });
      findings.push(...missingFrom(kept, chain.heads));
      await toStream(shell.output).write(linesOf(findings));
      const found =
        findings.length === 0 ? 'nothing changed, nothing missing' : count(findings.length, 'finding');
      say(
        shell,
        `Compared ${extentOf(kept)} in the digest ${kept.hash} with ${extentOf(digestOf(chain.heads))}: ` +
          `${found}.${unhashedSentence(chain.unhashedStreams())}`,
      );
      return findings.length === 0 ? NOTHING_FOUND : FOUND;
    },
    NOT_READ,
  );
