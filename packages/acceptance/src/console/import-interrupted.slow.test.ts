/** Imports that are paused, refused, cut off or begun twice: no row is missed, and nothing is set twice. */
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { createBook, describeConsole, signIn } from './console-test';
import { chooseFile, exportedFrom, HEAD, longFile, nameOf, revisionOf, setCsv } from './import-test';

const DAY = 86_400_000;
/** Three requests. */
const ROWS = 5_000;

/** What the browser keeps of the only import. */
const CHANGE_PLAN = `new Promise((resolve) => {
  const opened = indexedDB.open('pricebook-imports /');
  opened.onsuccess = () => {
    const transaction = opened.result.transaction('runs', 'readwrite');
    const runs = transaction.objectStore('runs');
    runs.getAll().onsuccess = ({ target }) => {
      for (const run of target.result) runs.put({ ...run, plan: [...run.plan, 'another'] });
    };
    transaction.oncomplete = () => {
      opened.result.close();
      resolve();
    };
  };
})`;

const DROP = `(() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['x'], 'prices.csv'));
  const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
  document.body.dispatchEvent(drop);
  return drop.defaultPrevented;
})()`;

describeConsole('The console: imports that are interrupted', ({ service, open, expectFault }) => {
  const openBook = async (options: { readonly key?: string } = {}): Promise<readonly [string, Page]> => {
    const id = await createBook(service(), 'Retail');
    return [id, await open({ view: `#/books/${id}/import-export`, ...options })];
  };

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  const choose = async (page: Page, csv: string): Promise<void> => {
    await chooseFile(page, service(), csv);
    await page.getByRole('button', { name: 'Import', exact: true, disabled: false }).waitFor();
  };

  const importFile = async (page: Page, csv: string): Promise<void> => {
    await choose(page, csv);
    await button(page, 'Import').click();
  };

  /** Lets a test answer the writes of the page: by their number, from 1. */
  const onWrites = async (
    page: Page,
    answer: (route: Route, number: number) => Promise<void>,
  ): Promise<{ readonly count: () => number }> => {
    let count = 0;
    await page.route('**/prices', (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      count += 1;
      return answer(route, count);
    });
    return { count: () => count };
  };

  /** The service does it, and the answer never comes. */
  const hanging = () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const hang = async (route: Route): Promise<void> => {
      await route.fetch();
      resolve(undefined);
    };
    return { hang, isDone: promise };
  };

  const issueKey = async (name: string): Promise<{ readonly id: string; readonly key: string }> =>
    (await service().request('POST', '/v1/api-keys', { json: { name, scopes: ['write'] } })).body as {
      readonly id: string;
      readonly key: string;
    };

  /** Begins an import of three requests, the second of which is not answered. */
  const beginAndHang = async (): Promise<readonly [string, Page]> => {
    const [id, page] = await openBook();
    await onWrites(page, (route, number) => (number === 2 ? hanging().hang(route) : route.continue()));
    await importFile(
      page,
      longFile(ROWS, () => 1),
    );
    await page.getByText('1 of 3 requests').waitFor();
    return [id, page];
  };

  it('begins once, however often the button is pressed', async () => {
    const [id, page] = await openBook();
    const writes = await onWrites(page, (route) => route.continue());
    await choose(page, `${HEAD}\nlamp,USD,override,1\ndesk,USD,override,2\n`);
    await button(page, 'Import').evaluate((element) => {
      const { click } = element as unknown as { readonly click: () => void };
      click.call(element);
      click.call(element);
    });
    await page.getByText('Imported prices.csv').waitFor();
    expect([await revisionOf(service(), id), writes.count()]).to.deep.equal([1, 1]);
  });

  it('pauses, goes on and is discarded while a request hangs', async () => {
    const [id, page] = await openBook();
    const [second, third] = [hanging(), hanging()];
    await onWrites(page, (route, number) => {
      if (number === 2) return second.hang(route);
      return number === 4 ? third.hang(route) : route.continue();
    });
    await importFile(
      page,
      longFile(ROWS, () => 1),
    );
    await second.isDone;
    await button(page, 'Pause').click();
    await page.getByText('Import paused').waitFor();
    await button(page, 'Continue').click();
    await page.getByText('2 of 3 requests').waitFor();
    await third.isDone;
    await button(page, 'Pause').click();
    await button(page, 'Discard').click();
    await button(page, 'Choose a CSV file').waitFor();
    expect(await revisionOf(service(), id)).to.equal(3);
    await page.reload();
    await signIn(page);
    await button(page, 'Choose a CSV file').waitFor();
  });

  it('compares again before it goes on with another key: newer prices are seen, or not touched', async () => {
    expectFault(/401|ERR_FAILED|Failed to load resource/);
    const [first, second] = [await issueKey('first'), await issueKey('second')];
    const [id, page] = await openBook({ key: first.key });
    await onWrites(page, async (route, number) => {
      if (number !== 2) return route.continue();
      await route.fetch();
      await setCsv(
        service(),
        id,
        `${HEAD}\n${nameOf(0)},USD,override,70\n${nameOf(2_000)},USD,override,80\n`,
      );
      await service().request('DELETE', `/v1/api-keys/${first.id}`);
      return route.abort();
    });
    await importFile(
      page,
      longFile(ROWS, () => 1),
    );
    await signIn(page, second.key);
    await button(page, 'Continue').click();
    await page.getByText('You signed in with another API key').waitFor();
    await page.getByText('1 of 3 requests done').waitFor();
    const changes = page.getByRole('region', { name: 'Changes', exact: true });
    await changes.getByRole('row', { name: `${nameOf(2_000)} USD Changed $80.00 $1.00` }).waitFor();
    expect(await changes.getByRole('row', { name: nameOf(0) }).count()).to.equal(0);
    await button(page, 'Import').click();
    await page.getByText('Imported prices.csv').waitFor();
    const csv = await exportedFrom(service(), id);
    expect(csv)
      .to.include(`${nameOf(0)},USD,override,70,`)
      .and.to.include(`${nameOf(2_000)},USD,override,1,`);
    expect(csv.trimEnd().split('\r\n')).to.have.length(ROWS + 1);
  });

  it('compares again a day later, and all of it where the page cuts the file in another way', async () => {
    const [id, page] = await beginAndHang();
    await page.clock.setFixedTime(Date.now() + DAY);
    await page.reload();
    await signIn(page);
    await button(page, 'Continue').click();
    await page.getByText('sent too long ago').waitFor();
    await page.getByText('1 of 3 requests done').waitFor();

    await page.evaluate(CHANGE_PLAN);
    await page.reload();
    await signIn(page);
    await setCsv(service(), id, `${HEAD}\n${nameOf(0)},USD,override,70\n`);
    await button(page, 'Continue').click();
    await page.getByText('the import begins again').waitFor();
    await page
      .getByRole('region', { name: 'Changes', exact: true })
      .getByRole('row', { name: `${nameOf(0)} USD Changed $70.00 $1.00` })
      .waitFor();
    await button(page, 'Import').click();
    await page.getByText('Imported prices.csv').waitFor();
    expect((await exportedFrom(service(), id)).match(/override,1,/g)).to.have.length(ROWS);
  });

  it('keeps an import beside that of another tab', async () => {
    const [id, page] = await beginAndHang();
    await button(page, 'Pause').click();
    const opened = page.waitForEvent('popup');
    await page.evaluate('void open(location.href)');
    const other = await opened;
    await signIn(other);
    await button(other, 'Discard').waitFor();
    await button(page, 'Continue').click();
    await page.getByText('Imported prices.csv').waitFor();
    await button(page, 'Import another file').click();
    const last = hanging();
    await onWrites(page, last.hang);
    await importFile(page, `${HEAD}\nlamp,USD,override,1\n`);
    await last.isDone;
    // What the other tab still shows is over: nothing of the new one is lost by it.
    await button(other, 'Discard').click();
    await button(other, 'Choose a CSV file').waitFor();
    await page.reload();
    await signIn(page);
    await page.getByText('0 of 1 request done').waitFor();
    await other.close();
    expect(await revisionOf(service(), id)).to.equal(4);
  });

  it('shows faults that only the service finds by the lines of the file', async () => {
    expectFault(/400/);
    const [id, page] = await openBook();
    service().setAhead(2 * DAY);
    const tomorrow = new Date(Date.now() + DAY).toISOString();
    await importFile(
      page,
      `${HEAD},validUntil\nall,usd,percent,5,\nlamp,USD,override,1,\nlamp,usd,override,2,${tomorrow}\n`,
    );
    const faults = page.getByRole('region', { name: 'Faults' });
    await faults.getByRole('row', { name: /^4 lamp validUntil must be after the time/ }).waitFor();
    expect(await button(page, 'Continue').count()).to.equal(0);
    expect(await revisionOf(service(), id)).to.equal(0);
    await button(page, 'Choose another file').click();
    await button(page, 'Choose a CSV file').waitFor();
  });

  it('says which row of a table changes, and what a price replaces in a book with a base', async () => {
    const base = await createBook(service(), 'Base');
    const id = await createBook(service(), 'Derived', base);
    const tiers = (odd: number): string =>
      Array.from({ length: 12 }, (_, place) => {
        const last = place === 11 ? '' : String(place * 10 + 10);
        return `cable,USD,volume,,${String(place * 10 + 1)},${last},${String(place === odd ? 30 : 50 - place)}`;
      }).join('\n');
    const head = `${HEAD},firstUnit,lastUnit,unitPrice`;
    await setCsv(service(), id, `${head}\n${tiers(12)}\nlamp,USD,override,10,,,\n`);
    const page = await open({ view: `#/books/${id}/import-export` });
    await choose(page, `${head}\n${tiers(7)}\nlamp,USD,percent,-10,,,\n`);
    const changes = page.getByRole('region', { name: 'Changes', exact: true });
    await changes.getByText('1 of 12 rows differs, 71 to 80: $43.00 → $30.00').waitFor();
    await changes.getByRole('row', { name: /^lamp USD Changed \$10\.00 \S10\s?%$/ }).waitFor();
    await button(page, 'Import').click();
    await page.getByText('Imported prices.csv').waitFor();
    await button(page, 'Import another file').click();
    await chooseFile(page, service(), await exportedFrom(service(), id));
    await page.getByText('There is nothing to import').waitFor();
  });

  it('stays when a file misses the area, and asks for a reload where a part of it is gone', async () => {
    expectFault(/ERR_FAILED/);
    const [, page] = await openBook();
    await button(page, 'Choose a CSV file').waitFor();
    expect(await page.evaluate(DROP)).to.equal(true);
    await page.route('**/check-file*', (route) => route.abort());
    await chooseFile(page, service(), `${HEAD}\nlamp,USD,override,1\n`);
    await button(page, 'Reload the page').waitFor();
  });
});
