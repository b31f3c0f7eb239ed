import type { StoreError } from '@pricebook/application';

/** A number of things, such as `1,000 events`. */
export const count = (number: number, name: string): string =>
  `${number.toLocaleString('en-US')} ${name}${number === 1 ? '' : 's'}`;

export const storeSentence = (error: StoreError): string =>
  error._tag === 'StoreDamaged'
    ? `The event store is damaged: ${error.where}: ${error.reason}.`
    : `The event store does not answer: ${error.reason}.`;
