import type { StoreError, StoreReadsOnly } from '@pricebook/application';

/** A number of things, such as `1,000 events`. */
export const count = (number: number, name: string, names = `${name}s`): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? name : names}`;

/** To follow another sentence; empty where every stream has hashes. */
export const unhashedSentence = (streams: number): string =>
  streams === 0 ? '' : ` Changes in ${count(streams, 'stream')} without hashes are not detected.`;

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
