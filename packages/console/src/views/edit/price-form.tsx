import type { Schemas } from '../../api/client';
import { PriceEditor } from './price-editor';
import type { OnSaved } from './use-price-edit';

interface PriceFormProps {
  readonly book: Schemas['PriceBook'];
  /** With both, the form has what the product has now. */
  readonly initial?: { readonly productId?: string; readonly currency?: string };
  readonly onClose: () => void;
  /** Called before `onClose`. */
  readonly onSaved: OnSaved;
}

/** Sets the price of a product, of any kind. */
export const PriceForm = ({ initial: { productId = '', currency = '' } = {}, ...props }: PriceFormProps) => (
  <PriceEditor title="Set price" scope="product" initial={{ productId, currency }} {...props} />
);
