/** Such as "1 row" and "50,000 rows". */
export const count = (number: number, noun: string): string =>
  `${number.toLocaleString()} ${noun}${number === 1 ? '' : 's'}`;
