import type { BookTabProps } from '../book';

export const ImportExportTab = ({ book }: BookTabProps) => <p class="soft">{book.revision}</p>;
