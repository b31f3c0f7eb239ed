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

const sentence = (detail: string): string =>
  detail.charAt(0).toUpperCase() + detail.slice(1) + (/[.?!]$/.test(detail) ? '' : '.');

export const placed = (faults: readonly Fault[]): PlacedFaults => {
  const at = new Map<string, string>();
  const others: Fault[] = [];
  for (const fault of faults) {
    const field = fieldOf(fault.pointer);
    if (field === undefined) others.push(fault);
    else if (!at.has(field)) at.set(field, sentence(fault.detail));
  }
  return { at, others };
};

export const noFaults: PlacedFaults = placed([]);
