import { useState } from 'preact/hooks';
import { answerOf, type Problem } from '../api/client';
import { booksHref, goTo } from '../router';
import { useSession } from '../session';
import { Dialog } from '../ui/dialog';
import { Form, TextField } from '../ui/form';
import { ProblemNotice } from '../ui/notice';
import { Name } from '../ui/text';
import type { BookTabProps } from './book-tab-props';
import { Derived } from './derived-books';

interface DeleteBookProps extends Pick<BookTabProps, 'book'> {
  readonly onClose: () => void;
}

export const DeleteBook = ({ book, onClose }: DeleteBookProps) => {
  const { api } = useSession();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const remove = async (): Promise<void> => {
    if (typed !== book.name) return;
    const answer = await answerOf(
      api.DELETE('/v1/pricebooks/{priceBookId}', { params: { path: { priceBookId: book.id } } }),
    );
    // A book that is gone already, such as after a lost answer, is what was asked for.
    if (answer.ok || answer.problem.status === 404) goTo(booksHref);
    else setProblem(answer.problem);
  };
  return (
    <Dialog title="Delete the book" onClose={onClose}>
      <p>
        Clients get no more prices from <Name>{book.name}</Name>. Its history stays, and it can be restored.
      </p>
      <Derived bookId={book.id} />
      <Form
        onSubmit={() => {
          void remove();
        }}
      >
        <TextField label="Type the name of the book" value={typed} onInput={setTyped} autoFocus />
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="danger" disabled={typed !== book.name}>
            Delete
          </button>
        </div>
      </Form>
    </Dialog>
  );
};
