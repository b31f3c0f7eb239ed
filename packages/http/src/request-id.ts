/** What a client may send as an id: printed in logs and kept with events, so short and of plain characters. */
const sane = /^[A-Za-z0-9._~:+/=@-]{1,128}$/;

/** The client's id if it is sane; a new one otherwise. */
export const requestIdOf = (sent: string, newId: () => string): string => (sane.test(sent) ? sent : newId());
