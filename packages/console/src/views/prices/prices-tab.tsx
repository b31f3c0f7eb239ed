import type { BookTabProps } from '../book-tab-props';

export const PricesTab = ({ book }: BookTabProps) => <p class="soft">{book.revision}</p>;
