import { expect } from 'chai';
import { apiRoutes } from '../routes';
import { openApiDocument } from './document';

interface Described {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters: readonly {
              readonly name: string;
              readonly in: string;
              readonly schema: object;
              readonly example?: unknown;
            }[];
          }
        >
      >
    >
  >;
}

describe('The query parameters in the OpenAPI document', () => {
  it('have nothing that pages would send unasked and that could change the answer', () => {
    const { paths } = openApiDocument(apiRoutes) as Described;
    const unasked = Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ parameters }) => parameters)
      .filter((parameter) => parameter.in === 'query')
      .filter(
        ({ schema, example }) =>
          'default' in schema ||
          // Of an object a page makes an example by itself where there is none.
          ('type' in schema && schema.type === 'object' && JSON.stringify(example) !== '{}'),
      )
      .map(({ name }) => name);
    // What these are where they are absent, they are for every answer.
    expect(new Set(unasked)).to.deep.equal(new Set(['dryRun', 'explain', 'quantity', 'total']));
  });
});
