import type { Schemas } from '../../api/client';
import { Dialog } from '../../ui/dialog';

interface PriceFormProps {
  readonly book: Schemas['PriceBook'];
  readonly initial?: { readonly productId?: string; readonly currency?: string };
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

export const PriceForm = ({ initial, onClose }: PriceFormProps) => (
  <Dialog title="Set a price" onClose={onClose}>
    <p>
      {initial?.productId} {initial?.currency}
    </p>
  </Dialog>
);
