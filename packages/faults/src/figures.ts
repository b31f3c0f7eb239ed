/** A number as the table shows it: 1,000. */
export const figure = (value: number): string => value.toLocaleString('en-US');
