/** A revision as text; undefined where it is none. No store has one of more digits. */
export const revisionIn = (text: string): number | undefined =>
  /^\d{1,14}$/.test(text) && String(Number(text)) === text ? Number(text) : undefined;
