import type { SheetFault } from '@pricebook/domain';
import { fileNameOf, saveAs } from './download';
import { counted, Name } from '../../ui/text';
import { Scroller } from '../../ui/scroller';

/** So many are shown; all of them can be saved. */
const MAX_SHOWN = 500;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const asCsv = (faults: readonly SheetFault[]): Blob =>
  new Blob([
    [
      'line,column,fault',
      ...faults.map(({ line, column, detail }) => `${String(line)},${column ?? ''},${quoted(detail)}`),
    ].join('\r\n'),
  ]);

interface FaultTableProps {
  /** Those that the service found name the product, too. */
  readonly faults: readonly (SheetFault & { readonly holder?: string })[];
}

/** Lines and columns of a file, and what is wrong with them. */
export const FaultTable = ({ faults }: FaultTableProps) => {
  const hasHolders = faults.some(({ holder }) => holder !== undefined);
  return (
    <Scroller label="Faults" isBounded>
      <table class="fault-list">
        <thead>
          <tr>
            <th scope="col" class="number">
              Line
            </th>
            {hasHolders && <th scope="col">Product</th>}
            <th scope="col">Column</th>
            <th scope="col">What is wrong</th>
          </tr>
        </thead>
        <tbody>
          {faults.slice(0, MAX_SHOWN).map(({ line, column, detail, holder }, place) => (
            <tr key={place}>
              <td class="number">{line.toLocaleString()}</td>
              {holder !== undefined && <td>{holder === 'all' ? 'All products' : <Name>{holder}</Name>}</td>}
              <td>{column === undefined ? <span class="soft">whole line</span> : <code>{column}</code>}</td>
              <td>
                <bdi class="name">{detail}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
};

interface FaultsProps {
  readonly fileName: string;
  readonly rows: number;
  readonly faults: readonly SheetFault[];
}

/** What is wrong with a file before anything of it is sent. */
export const Faults = ({ fileName, rows, faults }: FaultsProps) => (
  <div class="stack">
    <div class="notice danger stack tight" role="alert">
      <p>
        <strong>
          {counted(faults.length, 'fault')} in <Name>{fileName}</Name>
        </strong>
      </p>
      <p>
        Nothing was sent. Correct the file, which has {counted(rows, 'readable row')}, and choose it again.
      </p>
    </div>
    <FaultTable faults={faults} />
    <div class="row">
      {faults.length > MAX_SHOWN && (
        <span class="soft">The first {MAX_SHOWN.toLocaleString()} are shown.</span>
      )}
      <button
        type="button"
        onClick={() => {
          saveAs(asCsv(faults), fileNameOf(fileName.replace(/\.csv$/i, ''), 'faults'));
        }}
      >
        Download all faults
      </button>
    </div>
  </div>
);
