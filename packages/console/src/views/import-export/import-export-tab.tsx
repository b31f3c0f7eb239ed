import { mayWrite, useSession } from '../../session';
import '../../styles/import-export.css';
import type { BookTabProps } from '../book-tab-props';
import { ExportSection } from './export-section';
import { ImportSection } from './import-section';

/** Prices go out of a book and into it as CSV. */
export const ImportExportTab = ({ book, onChanged }: BookTabProps) => {
  const { key } = useSession();
  return (
    <div class="import-export">
      {mayWrite(key) && <ImportSection book={book} onChanged={onChanged} />}
      <ExportSection book={book} />
    </div>
  );
};
