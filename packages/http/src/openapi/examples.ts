import type { Json, JsonSchema } from '@pricebook/domain';

/** Examples of what a schema allows: its own, or a list of one of its items. */
export const examplesOf = ({ examples, type, items, anyOf }: JsonSchema): readonly Json[] => {
  if (examples !== undefined) return examples;
  if (type === 'array' && items !== undefined)
    return examplesOf(items)
      .slice(0, 1)
      .map((item) => [item]);
  return anyOf?.flatMap((choice) => examplesOf(choice).slice(0, 1)) ?? [];
};
