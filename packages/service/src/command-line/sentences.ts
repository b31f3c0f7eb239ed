import type { StoreError } from '@pricebook/application';

/** A number of things, such as `1,000 events`. */
export const count = (number: number, name: string, names = `${name}s`): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? name : names}`;

export const storeSentence = (error: StoreError): string =>
  error._tag === 'StoreDamaged'
    ? `The event store is damaged: ${error.where}: ${error.reason}.`
    : `The event store does not answer: ${error.reason}.`;
