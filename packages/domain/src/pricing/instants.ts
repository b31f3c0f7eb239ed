/** Instants are ISO 8601, UTC, milliseconds: they compare as text. Undefined is none, and the other one counts. */

export function later(a: string, b: string | undefined): string;
export function later(a: string | undefined, b: string | undefined): string | undefined;
export function later(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}

export const earlier = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a;
