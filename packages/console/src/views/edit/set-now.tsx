import { useSession } from '../../session';
import { useLoad } from '../../ui/use-load';
import { useSettled } from '../../ui/use-settled';
import { HeldList } from './held-list';
import { ownOfProduct } from './own';

const TYPING_PAUSE_MS = 300;

interface SetNowProps {
  readonly bookId: string;
  /** As it is typed. */
  readonly productId: string;
  readonly currency: string;
}

/** What a product that is typed into the form has already: it would be replaced. */
export const SetNow = ({ bookId, productId, currency }: SetNowProps) => {
  const { api } = useSession();
  const settled = useSettled(productId, TYPING_PAUSE_MS);
  const { data } = useLoad(
    async (signal) => {
      const own = await ownOfProduct(api, bookId, settled, signal);
      return own.ok ? { ...own, data: { of: settled, own: own.data } } : own;
    },
    [settled],
  );
  // Where it is not known, the preview and the check at saving say it.
  return data?.of === productId ? (
    <HeldList own={data.own} currency={currency} prefix="Set here now: " />
  ) : null;
};
