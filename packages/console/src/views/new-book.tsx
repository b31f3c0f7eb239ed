import { useRef, useState } from 'preact/hooks';
import { v4 as newId } from 'uuid';
import { answerOf, faultAt, type Problem } from '../api/client';
import { bookHref, goTo } from '../router';
import { useSession } from '../session';
import { Dialog } from '../ui/dialog';
import { Form, SelectField, TextField } from '../ui/form';
import { ProblemNotice } from '../ui/notice';
import { useLoad } from '../ui/use-load';
import { loadPage } from './load-books';

/** As many as the service lists at once: books to choose a base from. */
const MOST = 1_000;

export const NewBook = ({ onClose }: { readonly onClose: () => void }) => {
  const { api } = useSession();
  const [name, setName] = useState('');
  const [base, setBase] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [isSending, setSending] = useState(false);
  /** What was sent last, and its key: sent again after a lost answer, it is not done twice. */
  const attempt = useRef({ content: '', key: '' });
  const { data } = useLoad((signal) => loadPage(api, { name: '', limit: MOST, signal }), []);
  const create = async (): Promise<void> => {
    if (isSending) return;
    setSending(true);
    const body = { name, ...(base !== '' && { basePriceBookId: base }) };
    const content = JSON.stringify(body);
    if (attempt.current.content !== content) attempt.current = { content, key: newId() };
    const answer = await answerOf(
      api.POST('/v1/pricebooks', {
        params: { header: { 'Idempotency-Key': attempt.current.key } },
        body,
      }),
    );
    setSending(false);
    if (answer.ok) goTo(bookHref(answer.data.id));
    else setProblem(answer.problem);
  };
  const nameFault = faultAt(problem, '/name');
  return (
    <Dialog title="New price book" onClose={onClose}>
      <Form
        onSubmit={() => {
          void create();
        }}
      >
        <TextField label="Name" value={name} onInput={setName} fault={nameFault} autoFocus />
        <SelectField
          label="Base book"
          hint="A book with a base answers the base's prices, changed by its own."
          value={base}
          options={[['', 'None'], ...(data?.books ?? []).map((book) => [book.id, book.name] as const)]}
          onChange={setBase}
          fault={faultAt(problem, '/basePriceBookId')}
        />
        {problem !== undefined && nameFault === undefined && <ProblemNotice problem={problem} />}
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isSending}>
            Create
          </button>
        </div>
      </Form>
    </Dialog>
  );
};
