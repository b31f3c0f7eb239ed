export const ProductView = ({ productId }: { readonly bookId: string; readonly productId: string }) => (
  <h1>{productId}</h1>
);
