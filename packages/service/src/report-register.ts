import type { RegisterStatus } from '@pricebook/application';
import type { Logger } from 'pino';

/** Logs when the state of a register becomes known, or is not known any more. @param what in words, such as `the keys`. */
export const reportRegister =
  (logger: Logger, what: string) =>
  (status: RegisterStatus): void => {
    const message = `${what} are ${status._tag.toLowerCase()}`;
    if ('error' in status) logger.error({ error: status.error }, message);
    else logger.info(message);
  };
