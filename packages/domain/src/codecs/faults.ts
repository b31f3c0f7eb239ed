import * as t from 'io-ts';

/** One thing that is wrong with an input. */
export interface Fault {
  /** Where, as an RFC 6901 JSON Pointer into the input; `''` is the input itself. */
  readonly pointer: string;
  /** What is wrong and what would be right, in a sentence for people. */
  readonly detail: string;
}

class LazyError implements t.ValidationError {
  constructor(
    readonly value: unknown,
    readonly context: t.Context,
    private readonly say: () => string,
  ) {}

  // A getter of each object by itself would cost several times as much.
  get message(): string {
    return this.say();
  }
}

/**
 * An error whose words are made when it is told: an input can have any number of errors, of which few are told, and the
 * first look at an input tells none.
 */
export const errorOf = (value: unknown, context: t.Context, say: () => string): t.ValidationError =>
  new LazyError(value, context, say);

/** The input is refused for this one reason. */
export const refused = (value: unknown, context: t.Context, say: () => string): t.Validation<never> =>
  t.failures([errorOf(value, context, say)]);

/** As many faults as are told at once; design section 2. */
export const MAX_FAULTS = 50;

const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');

/** The RFC 6901 pointer of a path of keys and indexes. */
export const pointerOf = (path: readonly (string | number)[]): string =>
  path.map((token) => `/${escapeToken(String(token))}`).join('');

/** Keys and indexes from the input down to where an error is. */
export const pathOf = (error: t.ValidationError): readonly string[] =>
  // The first entry is the codec of the whole input: it has no key.
  error.context.slice(1).map((entry) => entry.key);

/** Faults of what was found, at most 50: past that the last one counts the rest. Words are made for no more. */
export const boundedFaults = <A, F extends Fault>(
  found: readonly A[],
  toFault: (one: A) => F,
): readonly (F | Fault)[] => {
  const told = found.slice(0, found.length > MAX_FAULTS ? MAX_FAULTS - 1 : MAX_FAULTS).map(toFault);
  const more = found.length - told.length;
  return more > 0 ? [...told, { pointer: '', detail: `holds ${String(more)} more faults` }] : told;
};

/**
 * What io-ts found, as faults with JSON Pointers.
 *
 * @returns every fault, those of an item before those among items, at most 50: past that the last one counts the rest.
 */
export const faultsOf = (errors: t.Errors): readonly Fault[] =>
  boundedFaults(errors, (error) => ({
    pointer: pointerOf(pathOf(error)),
    detail: error.message ?? 'is not valid',
  }));
