import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';
import { createOperations } from '../operations';
import { apiRoutes } from '../routes';
import { openApiDocument } from './document';

/** Redocly's linter reads no network: the document refers to nothing outside of itself. */
const lint = async (document: object): Promise<readonly string[]> => {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config: await createConfig({ extends: ['recommended-strict'] }),
  });
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  );
};

describe('The OpenAPI document, by the linter of Redocly', function () {
  this.timeout(30_000);
  const { routes } = createOperations(() => Promise.reject(new Error('not expected to be asked')));
  const document = openApiDocument([...apiRoutes, ...routes]);

  it('is without errors and warnings', async () => {
    expect(await lint(document)).to.deep.equal([]);
  });

  it('would be told of an operation without an id', async () => {
    const [first, ...others] = apiRoutes;
    const faulty = openApiDocument([{ ...first, operationId: others[0]?.operationId } as never, ...others]);
    expect((await lint(faulty)).join()).to.include('operation-operationId-unique');
  });
});
