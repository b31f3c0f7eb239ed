import type { StoreError, StoreReadsOnly } from '@pricebook/application';

/** A number of things, such as `1,000 events`. */
export const count = (number: number, name: string, names = `${name}s`): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? name : names}`;

export const storeSentence = (error: StoreError | StoreReadsOnly): string => {
  switch (error._tag) {
    case 'StoreDamaged':
      return `The event store is damaged: ${error.where}: ${error.reason}.`;
    case 'StoreUnavailable':
      return `The event store does not answer: ${error.reason}.`;
    case 'StoreReadsOnly':
      return `The event store takes no events: ${error.reason}.`;
  }
};
