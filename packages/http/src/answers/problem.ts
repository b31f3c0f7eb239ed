/** What answers are that are no successes: RFC 9457. */
import { described, listOf, MAX_FAULTS, record } from '@pricebook/domain';
import { triedRuleCodec } from './selection-rule';
import { anyTextCodec, countCodec } from './values';

const faultCodec = described(
  record(
    'Fault',
    { pointer: anyTextCodec, detail: anyTextCodec },
    { line: countCodec('line', 'Where the row begins; the first line is 1.', 7), column: anyTextCodec },
  ),
  {
    description:
      'One thing that is wrong with a body. `pointer` is a JSON Pointer into it, and empty for the body itself; `detail` says ' +
      'what is wrong and what would be right. In CSV, into which no pointer leads, `line` and `column` say where.',
    examples: [{ pointer: '/name', detail: 'must be a text, not 5' }],
  },
);

const fields = {
  type: anyTextCodec,
  title: anyTextCodec,
  status: countCodec('status', 'The status of the answer.', 400),
  detail: anyTextCodec,
};

const DESCRIPTION =
  '`type` names the problem and is the path of a page about it; `title` says the same in words. `detail` is about this ' +
  'request. `errors` lists every fault of a body at once. `triedRules` is there where no book answers a price by context that is ' +
  'asked with `explain=true`.';

export const problemCodec = described(
  record(
    'Problem',
    { ...fields, requestId: anyTextCodec },
    { errors: listOf(faultCodec, MAX_FAULTS), triedRules: listOf(triedRuleCodec) },
  ),
  {
    description: DESCRIPTION,
    examples: [
      {
        type: '/problems/invalid-request',
        title: 'The request is not valid',
        status: 400,
        detail: 'The body is not as this operation takes it: see errors.',
        errors: [{ pointer: '/name', detail: 'must be a text, not 5' }],
        requestId: '7893674f-750a-43f3-aea8-a36167380ccb',
      },
    ],
  },
);

/** The problem of one line of many: the answer has one request id for all. */
export const lineProblemCodec = described(record('LineProblem', fields), {
  description: 'The problem that Get Product Price would answer.',
  examples: [
    {
      type: '/problems/no-price',
      title: 'There is no such price',
      status: 404,
      detail: 'The product has no list price in this currency, in this book or in its bases.',
    },
  ],
});
