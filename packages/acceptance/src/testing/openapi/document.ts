/** The OpenAPI document as its readers see it: which operation a request is, and what its parts refer to. */

export interface Referring {
  readonly $ref?: string;
}

export interface DocumentParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly explode?: boolean;
  readonly schema: object;
}

type Content = Readonly<Record<string, { readonly schema: object }>>;

interface DocumentHeader {
  readonly required?: boolean;
  readonly schema: object;
}

export interface DocumentResponse {
  readonly headers?: Readonly<Record<string, DocumentHeader & Referring>>;
  readonly content?: Content;
}

export interface DocumentOperation {
  readonly operationId: string;
  readonly parameters: readonly DocumentParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, DocumentResponse & Referring>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What a reference refers to; anything else is itself. */
export const resolved = <A extends object>(document: OpenApiDocument, part: A & Referring): A => {
  const { $ref } = part;
  if ($ref === undefined) return part;
  let found: unknown = document;
  for (const token of $ref.split('/').slice(1)) {
    found = (found as Readonly<Record<string, unknown>>)[token.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return found as A;
};

export interface FoundPath {
  /** As the document has it, such as /v1/pricebooks/{priceBookId}. */
  readonly template: string;
  /** By method, in lower case. */
  readonly operations: Readonly<Record<string, DocumentOperation>>;
}

const variables = (template: string): number => template.split('{').length;

/**
 * Which of the paths of a document a path is; that with the fewest variables. What it does not take, another path may
 * whose variables it fits: `/api-keys/me` fits `/api-keys/{apiKeyId}`.
 */
export const pathFinder = ({ paths }: OpenApiDocument): ((path: string) => FoundPath | undefined) => {
  const patterns = Object.entries(paths)
    .map(([template, operations]) => ({
      template,
      operations,
      pattern: new RegExp(`^${template.replaceAll('.', '[.]').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }))
    .sort((a, b) => variables(a.template) - variables(b.template));
  return (path) => {
    const fitting = patterns.filter(({ pattern }) => pattern.test(path));
    const [first] = fitting;
    const operations = fitting.toReversed().map((one) => one.operations);
    return (
      first && {
        template: first.template,
        operations: Object.assign({}, ...operations) as FoundPath['operations'],
      }
    );
  };
};

/** The methods that a path takes, HEAD among them. */
export const methodsOf = ({ operations }: FoundPath): readonly string[] =>
  Object.keys(operations)
    .flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    .sort();
