import type { BookTabProps } from '../book';

export const PricesTab = ({ book }: BookTabProps) => <p class="soft">{book.revision}</p>;
