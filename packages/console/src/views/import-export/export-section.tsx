/** The book as files: what it says itself, and what each product costs in a currency. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, answerOf, type Problem } from '../../api/client';
import { useSession } from '../../session';
import { Form, TextField } from '../../ui/form';
import { Notice, ProblemNotice } from '../../ui/notice';
import type { BookTabProps } from '../book-tab-props';
import { collect, fileNameOf, saveAs } from './download';

type Csv = ReadableStream<Uint8Array<ArrayBuffer>>;

const sizeText = (bytes: number): string =>
  bytes < 1_000_000
    ? `${Math.ceil(bytes / 1_000).toLocaleString()} kB`
    : `${(bytes / 1_000_000).toLocaleString(undefined, { maximumFractionDigits: 1 })} MB`;

export const ExportSection = ({ book }: Pick<BookTabProps, 'book'>) => {
  const { api } = useSession();
  const [currency, setCurrency] = useState('');
  const [fault, setFault] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const [bytes, setBytes] = useState<number>();
  const [saved, setSaved] = useState<string>();
  const aborter = useRef<AbortController>(undefined);
  useEffect(() => () => aborter.current?.abort(), []);

  const download = async (
    name: string,
    ask: (signal: AbortSignal) => Promise<Answer<Csv>>,
  ): Promise<void> => {
    const current = new AbortController();
    aborter.current = current;
    setProblem(undefined);
    setFault(undefined);
    setSaved(undefined);
    setBytes(0);
    const answer = await ask(current.signal)
      .then((begun) => collect(begun, setBytes))
      .catch(() => undefined);
    if (current.signal.aborted || answer === undefined) return;
    setBytes(undefined);
    if (answer.ok) {
      saveAs(answer.data, name);
      setSaved(`${name}, ${sizeText(answer.data.size)}`);
    } else setProblem(answer.problem);
  };

  const own = (): Promise<void> =>
    download(fileNameOf(book.name, 'prices'), (signal) =>
      answerOf(
        api.GET('/v1/pricebooks/{priceBookId}/prices', {
          params: { path: { priceBookId: book.id } },
          headers: { accept: 'text/csv' },
          parseAs: 'stream',
          signal,
        }) as Promise<{ readonly data?: Csv; readonly response: Response }>,
      ),
    );

  const effective = async (): Promise<void> => {
    const code = currency.trim().toUpperCase();
    if (!/^[A-Z]{3}$/.test(code)) {
      setFault('Enter the three letters of a currency, such as USD.');
      return;
    }
    await download(fileNameOf(book.name, 'effective', code), (signal) =>
      answerOf(
        api.GET('/v1/pricebooks/{priceBookId}/effective-prices', {
          params: { path: { priceBookId: book.id }, query: { currency: code } },
          headers: { accept: 'text/csv' },
          parseAs: 'stream',
          signal,
        }) as Promise<{ readonly data?: Csv; readonly response: Response }>,
      ),
    );
  };

  const isBusy = bytes !== undefined;
  return (
    <section class="stack" aria-labelledby="export-title">
      <h2 id="export-title">Export</h2>
      <div class="export-choices">
        <div class="choice stack tight">
          <p>
            Everything that the book sets itself. The file can be imported again, here or into another book.
          </p>
          <div>
            <button
              type="button"
              disabled={isBusy}
              onClick={() => {
                void own();
              }}
            >
              Download prices
            </button>
          </div>
        </div>
        <div class="choice">
          <Form
            label="Effective prices"
            onSubmit={() => {
              void effective();
            }}
          >
            <p>What each product costs now in one currency, with the prices of the base.</p>
            <div class="export-form">
              <TextField
                label="Currency"
                value={currency}
                placeholder="USD"
                onInput={setCurrency}
                fault={fault}
              />
              <button type="submit" disabled={isBusy}>
                Download effective prices
              </button>
            </div>
          </Form>
        </div>
      </div>
      {isBusy && (
        <p class="soft" role="status">
          Downloading … {sizeText(bytes)}
        </p>
      )}
      {saved !== undefined && (
        <Notice kind="success">
          <p>Saved as {saved}.</p>
        </Notice>
      )}
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </section>
  );
};
