/** Brings the prices of a book out of a running service, as of one revision where nobody writes to it meanwhile. */
import * as E from 'fp-ts/Either';
import { type Patience, patiently } from '../command-line/patience';
import type { ExportTarget } from '../history-file/export-target';
import { lineFeedsIn } from './line-feeds';
import type { PriceService, ServiceFailure } from './service';

/** How often it is begun anew because the book was changed meanwhile, or the answer broke off. */
const MAX_ATTEMPTS = 3;

export type ExportStop = ServiceFailure | { readonly _tag: 'Interrupted' };

export interface Exported {
  readonly lines: number;
  /** The revision of the book when it began, and when it had come to its end. */
  readonly from: number;
  readonly to: number;
}

export interface ExportOptions {
  readonly patience: Patience;
  /** Where it is written; opened anew for each attempt. */
  readonly open: () => Promise<ExportTarget>;
  /** Whether what was written can be taken back. */
  readonly canRepeat: boolean;
  readonly onProgress: (lines: number) => void;
}

/** @throws Error what writing throws. */
export const exportPrices = async (
  service: PriceService,
  bookId: string,
  { patience, open, canRepeat, onProgress }: ExportOptions,
): Promise<E.Either<ExportStop, Exported>> => {
  const isStopping = (): boolean => patience.signal.aborted;

  const attempt = async (target: ExportTarget): Promise<E.Either<ServiceFailure, Exported>> => {
    const answer = await patiently(() => service.prices(bookId), patience);
    if (E.isLeft(answer)) return answer;
    const { revision: from, pieces } = answer.right;
    let lines = 0;
    for await (const piece of pieces) {
      if (E.isLeft(piece)) return piece;
      lines += lineFeedsIn(piece.right);
      await target.write(piece.right);
      onProgress(lines);
    }
    const to = await patiently(() => service.revisionOf(bookId), patience);
    return E.isLeft(to) ? to : E.right({ lines, from, to: to.right });
  };

  for (let attempts = 1; ; attempts += 1) {
    const target = await open();
    try {
      const outcome = await attempt(target);
      if (isStopping()) return E.left({ _tag: 'Interrupted' });
      const isLast = !canRepeat || attempts === MAX_ATTEMPTS;
      if (E.isLeft(outcome)) {
        if (isLast || outcome.left._tag !== 'Unreachable') return outcome;
      } else if (isLast || outcome.right.from === outcome.right.to) {
        await target.complete();
        return outcome;
      }
    } finally {
      await target.abandon();
    }
  }
};
