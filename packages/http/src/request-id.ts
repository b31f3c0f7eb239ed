import type { Parameter } from './openapi/operation';

/** What a client may send as an id: printed in logs and kept with events, so short and of plain characters. */
const sane = /^[A-Za-z0-9._~:+/=@-]{1,128}$/;

/** The client's id if it is sane; a new one otherwise. */
export const requestIdOf = (sent: string, newId: () => string): string => (sane.test(sent) ? sent : newId());

/** Every operation takes it. */
export const requestIdHeader: Parameter = {
  in: 'header',
  name: 'x-request-id',
  description:
    'An id for the request, which the answer, logs and events have: 1 to 128 of `A-Z a-z 0-9 . _ ~ : + / = @ -`. ' +
    'Another one is passed over.',
  schema: { type: 'string', examples: ['order-17'] },
};
