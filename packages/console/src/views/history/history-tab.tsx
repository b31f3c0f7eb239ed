import type { BookTabProps } from '../book';

export const HistoryTab = ({ book }: BookTabProps) => <p class="soft">{book.revision}</p>;
