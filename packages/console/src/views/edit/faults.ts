/** Where in the form a fault belongs. */
import type { Fault } from '../../api/client';

/** By the name of the field, as pointers have it below the adjustment: `amount`, `tiers/0/unitPrice`. */
export interface PlacedFaults {
  readonly at: ReadonlyMap<string, string>;
  /** Those that no field is to blame for. */
  readonly others: readonly Fault[];
}

const FIELD =
  /^(amount|property|roundTo|ending|validFrom|validUntil|(values|tiers)(\/\d+(\/(value|firstUnit|lastUnit|unitPrice))?)?)$/;

const fieldOf = (pointer: string): string | undefined => {
  if (/^(\/0)?\/productId$/.test(pointer)) return 'productId';
  const below = /^(?:\/0)?\/adjustments\/[^/]*(.*)$/.exec(pointer)?.[1];
  if (below === undefined) return undefined;
  if (below === '') return 'currency';
  const rest = below.slice(1);
  return FIELD.test(rest) ? rest : undefined;
};

const sentence = (said: string): string => {
  const detail = said.replace(/^holds (?=\d+ more faults)/, 'there are ');
  return detail.charAt(0).toUpperCase() + detail.slice(1) + (/[.?!]$/.test(detail) ? '' : '.');
};

/** Rows are counted from 0 by the service, and from 1 by people. */
const withRows = (detail: string): string =>
  detail.replace(/\b(?:item|row) (\d+)\b/g, (_, place: string) => `row ${String(Number(place) + 1)}`);

export const placed = (faults: readonly Fault[]): PlacedFaults => {
  const at = new Map<string, string>();
  const others: Fault[] = [];
  for (const fault of faults) {
    const field = fieldOf(fault.pointer);
    if (field === undefined) others.push({ ...fault, detail: sentence(fault.detail) });
    else if (!at.has(field)) at.set(field, sentence(withRows(fault.detail)));
  }
  return { at, others };
};

export const noFaults: PlacedFaults = placed([]);
