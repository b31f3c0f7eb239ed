/** The latest that a control for times takes: browsers let people type six digits of a year, which are no date-time. */
export const LATEST_LOCAL = '9999-12-31T23:59';

/**
 * @param local what a control for times holds, in the zone of the reader.
 * @returns ISO 8601 in UTC; undefined where it is no time, or has a year above 9999.
 */
export const instantOf = (local: string): string | undefined => {
  const time = new Date(local).getTime();
  return Number.isNaN(time) || time > new Date(LATEST_LOCAL).getTime()
    ? undefined
    : new Date(time).toISOString();
};
