/** What the page sends again by itself waits as the service asks. */
import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { createBook, describeConsole } from './console-test';
import { chooseFile, HEAD, revisionOf } from './import-test';

const refuse = (route: Route, status: number, retryAfter: string): Promise<void> =>
  route.fulfill({ status, headers: { 'retry-after': retryAfter } });

describeConsole('The console: trying again', ({ service, open, expectFault }) => {
  it('imports after as long as it is asked to wait, by a date too', async () => {
    expectFault(/429|503|507/);
    const id = await createBook(service(), 'Retail');
    const page = await open({ view: `#/books/${id}/import-export` });
    const times: number[] = [];
    await page.route('**/prices', (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      times.push(performance.now());
      if (times.length === 1) return refuse(route, 429, new Date(Date.now() + 3_000).toUTCString());
      if (times.length === 2) return refuse(route, 503, '2');
      return times.length === 3 ? refuse(route, 507, 'soon') : route.continue();
    });
    await chooseFile(page, service(), `${HEAD}\nlamp,USD,override,1\n`);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The import waits').waitFor();
    await page.getByText('Imported prices.csv').waitFor();
    const [first = 0, second = 0, third = 0, ...others] = times;
    // A date has whole seconds.
    expect(second - first).to.be.greaterThan(1_500);
    expect(third - second).to.be.greaterThan(1_500);
    expect(others).to.have.length(1);
    expect(await revisionOf(service(), id)).to.equal(1);
  });

  it('follows a history after as long as it is asked to wait', async () => {
    expectFault(/429/);
    const id = await createBook(service(), 'Retail');
    const page = await open();
    const times: number[] = [];
    await page.route('**/events', (route) => {
      times.push(performance.now());
      const [first = 0, last = 0] = [times[0], times.at(-1)];
      return last - first < 2_000 ? refuse(route, 429, '4') : route.continue();
    });
    await page.evaluate(`location.hash = '#/books/${id}/history'`);
    await page.getByText('Live: new changes').waitFor();
    const [first = 0] = times;
    // Else it would come back within a second and a quarter.
    expect(times.filter((time) => time - first > 500 && time - first < 3_000)).to.deep.equal([]);
  });
});
