/** Reads the kept events of keys that books claim. */
import { decodeWith } from '../recorded-event';
import { bookKeyEventCodec } from './events';

export const decodeBookKeyEvent = decodeWith(bookKeyEventCodec);
