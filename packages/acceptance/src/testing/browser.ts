/** Headless Chromium of this machine, where a page is watched for all that it must not do. */
import fs from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

const findChromium = (): string | undefined => {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders
    .flatMap((folder) => NAMES.map((name) => path.join(folder, name)))
    .find((file) => fs.existsSync(file));
};

const executablePath = findChromium();

export const isBrowserThere = executablePath !== undefined;

export const startBrowser = (): Promise<Browser> => {
  if (executablePath === undefined) throw new Error('there is no Chromium');
  return chromium.launch({
    executablePath,
    // No other host can be reached, whatever a page or the browser itself tries.
    args: ['--no-proxy-server', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
};

export interface WatchedPage {
  readonly page: Page;
  /** Requests to other hosts or that failed, what the console complained of (violations of CSP too), and errors. */
  readonly faults: () => readonly string[];
}

/** @param base the address that all requests have to begin with. */
export const openPage = async (
  browser: Browser,
  base: string,
  options: { readonly colorScheme?: 'light' | 'dark'; readonly width?: number } = {},
): Promise<WatchedPage> => {
  const page = await browser.newPage({
    colorScheme: options.colorScheme ?? 'light',
    viewport: { width: options.width ?? 1_280, height: 800 },
  });
  const faults: string[] = [];
  page.on('request', (request) => {
    // Icons within a stylesheet are no requests to anyone.
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(base)) {
      faults.push(`asked elsewhere: ${request.url()}`);
    }
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    // Whoever leaves a page early does not wait for its icon.
    if (why !== 'net::ERR_ABORTED') faults.push(`${String(why)}: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${String(response.status())}: ${response.url()}`);
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  return { page, faults: () => faults };
};
