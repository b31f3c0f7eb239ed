/** `pricebook verify`, and books for it to look at. */
import { runCommand } from '@pricebook/service/testing';
import { runAsProcess } from './command';
import type { TestService } from './test-service';

export interface VerifyRun {
  readonly status: number | null;
  /** Lines of standard output: the differences. */
  readonly found: readonly string[];
  /** Standard error. */
  readonly said: string;
}

const verifyBy =
  (run: typeof runCommand) =>
  async (environment: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<VerifyRun> => {
    const { status, output, said } = await run(['verify', ...args], environment);
    return { status, found: output.split('\n').filter((line) => line !== ''), said };
  };

export const runVerify = verifyBy(runCommand);
/** For a service in the process of the test, beside which `verify` is another process. */
export const verifyAsProcess = verifyBy(runAsProcess);

const send = async (
  service: TestService,
  method: string,
  path: string,
  json: unknown,
): Promise<Readonly<Record<string, unknown>>> => {
  const { status, body } = await service.request(method, `/v1/pricebooks${path}`, { json });
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body as Readonly<Record<string, unknown>>;
};

export const createBook = async (
  service: TestService,
  name: string,
  basePriceBookId?: string,
): Promise<string> => String((await send(service, 'POST', '', { name, basePriceBookId }))['id']);

export const setPrice = (service: TestService, book: string, productId: string, adjustment: unknown) =>
  send(service, 'PUT', `/${book}/prices`, [{ productId, adjustments: { USD: adjustment } }]);

export const setPercent = (service: TestService, book: string, amount: number) =>
  send(service, 'PUT', `/${book}/prices`, {
    productId: 'all',
    adjustments: { USD: { type: 'percent', amount } },
  });

export const override = (amount: number) => ({ type: 'override', amount });

/** Writes to a book, some at a time and most of them to one product, until it is told to stop. */
export const keepWriting = (service: TestService, book: string) => {
  let isGoingOn = true;
  let writes = 0;
  const write = async (writer: number): Promise<void> => {
    while (isGoingOn) {
      writes += 1;
      if (writes % 10 === 0) await setPercent(service, book, writes % 100);
      else if (writes % 10 === 1) await setPrice(service, book, `new ${String(writes)}`, override(writes));
      else if (writes % 3 === 0) await setPrice(service, book, 'hot', { type: 'percent', amount: writer });
      else await setPrice(service, book, 'hot', override(writes));
    }
  };
  const writing = Promise.all([1, 2, 3].map(write));
  return {
    stop: async (): Promise<number> => {
      isGoingOn = false;
      await writing;
      return writes;
    },
  };
};
