import type { BookTabProps } from '../book-tab-props';

export const HistoryTab = ({ book }: BookTabProps) => <p class="soft">{book.revision}</p>;
