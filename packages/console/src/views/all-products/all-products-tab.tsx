import type { BookTabProps } from '../book';

export const AllProductsTab = ({ book }: BookTabProps) => <p class="soft">{book.revision}</p>;
