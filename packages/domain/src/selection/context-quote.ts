/** The body of Quote by Context: many questions for prices, and a context that chooses the books. */
import * as E from 'fp-ts/Either';
import { type PriceParameters, QUANTITY, RESERVED_PARAMETERS } from '../adjustments/parameters';
import { propertyCodec } from '../adjustments/table';
import { described, type JsonCodec, makeCodec, mapOf, record, refine, text } from '../codecs/codecs';
import { atLeastOne, listOf } from '../codecs/lists';
import { type QuoteLine, quoteLinesCodec } from '../pricing/quote-lines';

const MAX_ATTRIBUTES = 200;
const MAX_GIVEN = 100;

export interface ContextQuote {
  /** Each line with everything that it is asked with: its own values come before those of the context. */
  readonly lines: readonly QuoteLine[];
}

const givenCodec = atLeastOne(
  'AttributeValues',
  listOf(text('AttributeValue', { min: 0, max: 256 }), MAX_GIVEN),
  'value',
);

/** A quantity is that of a line, which checks it. */
const attributeCodec = refine(
  'ContextAttribute',
  propertyCodec,
  (name) =>
    name === QUANTITY ? E.left('must not be "quantity", which is a field of each line') : E.right(name),
  {
    description: 'The name of an attribute.',
    not: { enum: [...RESERVED_PARAMETERS, QUANTITY] },
    examples: ['customerGroup'],
  },
);

const contextCodec = described(mapOf(attributeCodec, givenCodec, MAX_ATTRIBUTES), {
  description:
    'What is known of the request, for the selection rules and for tables: the values of each attribute. A line that has an ' +
    'attribute in its own `properties` does not take that of the context.',
  examples: [{ customerGroup: ['gold', 'partner'], country: ['DE'] }],
});

const fieldsCodec = record('ContextQuote', { context: contextCodec, lines: quoteLinesCodec });

const withContext = (line: QuoteLine, context: PriceParameters): QuoteLine => ({
  ...line,
  parameters: line.parameters.size === 0 ? context : new Map([...context, ...line.parameters]),
});

export const contextQuoteCodec: JsonCodec<ContextQuote> = makeCodec<ContextQuote>(
  'ContextQuote',
  (u, c) => {
    const fields = fieldsCodec.validate(u, c);
    if (E.isLeft(fields)) return fields;
    const { context, lines } = fields.right;
    const given: PriceParameters = new Map(
      Object.entries(context).flatMap(([name, values]) => (values === undefined ? [] : [[name, values]])),
    );
    return E.right({ lines: lines.map((line) => withContext(line, given)) });
  },
  {
    ...fieldsCodec.schema,
    examples: [
      {
        context: { customerGroup: ['gold'] },
        lines: [{ productId: 'lamp', currency: 'USD', quantity: 10 }],
      },
    ],
  },
);
