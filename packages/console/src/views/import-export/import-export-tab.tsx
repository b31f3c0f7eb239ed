import type { BookTabProps } from '../book-tab-props';

export const ImportExportTab = ({ book }: BookTabProps) => <p class="soft">{book.revision}</p>;
