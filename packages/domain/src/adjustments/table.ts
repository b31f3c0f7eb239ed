import * as E from 'fp-ts/Either';
import { type JsonCodec, refine, text } from '../codecs/codecs';
import { atLeastOne, type ListRule, listOf } from '../codecs/lists';
import { RESERVED_PARAMETERS } from './parameters';

const MAX_ROWS = 1_000;

/** The rows of a table as entered: 1 to 1,000. */
export const rowsOf = <Row>(row: JsonCodec<Row>, rule: ListRule<Row>): JsonCodec<readonly Row[]> =>
  atLeastOne(`${row.name} table`, listOf(row, MAX_ROWS, rule), 'row');

/** The name of the query parameter that a table reads. */
export const propertyCodec: JsonCodec<string> = refine(
  'Property',
  text('Property', { min: 1, max: 256 }),
  (name) =>
    RESERVED_PARAMETERS.includes(name)
      ? E.left(`must not be ${JSON.stringify(name)}, which price requests use themselves`)
      : E.right(name),
  {
    description: 'The name of the query parameter that chooses the row.',
    not: { enum: RESERVED_PARAMETERS },
    examples: ['region'],
  },
);
