import type { Schemas } from '../../api/client';

interface PriceFormProps {
  readonly book: Schemas['PriceBook'];
  readonly initial?: { readonly productId?: string; readonly currency?: string };
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

export const PriceForm = ({ onClose }: PriceFormProps) => (
  <button type="button" onClick={onClose}>
    Cancel
  </button>
);
