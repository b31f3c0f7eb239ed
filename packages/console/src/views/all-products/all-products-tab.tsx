import type { BookTabProps } from '../book-tab-props';

export const AllProductsTab = ({ book }: BookTabProps) => <p class="soft">{book.revision}</p>;
