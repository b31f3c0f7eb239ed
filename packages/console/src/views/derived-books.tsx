/** The books that are based on a book. */
import { answerOf, type Schemas } from '../api/client';
import { bookHref } from '../router';
import { useSession } from '../session';
import { Name } from '../ui/text';
import { useLoad } from '../ui/use-load';

/** So many derived books are named; a book rarely has more. */
const NAMED = 20;

const useDerived = (bookId: string): readonly Schemas['PriceBook'][] => {
  const { api } = useSession();
  const { data = [] } = useLoad(
    (signal) =>
      answerOf(
        api.GET('/v1/pricebooks', { params: { query: { basePriceBookId: bookId, limit: NAMED } }, signal }),
      ),
    [bookId],
  );
  return data;
};

export const BaseOf = ({ bookId }: { readonly bookId: string }) => {
  const derived = useDerived(bookId);
  return derived.length === 0 ? null : (
    <>
      Base of{' '}
      {derived.map(({ id, name }, place) => (
        <span key={id}>
          {place > 0 && ', '}
          <a href={bookHref(id)}>
            <Name>{name}</Name>
          </a>
        </span>
      ))}
      {derived.length === NAMED && ' and others'} ·{' '}
    </>
  );
};

/** Books that go with their base would be lost with it: the service refuses, and this names them. */
export const Derived = ({ bookId }: { readonly bookId: string }) => {
  const derived = useDerived(bookId);
  return derived.length === 0 ? null : (
    <div class="notice warning stack tight" role="status">
      <p>These books are based on it. Delete them first:</p>
      <ul class="stack tight">
        {derived.map((one) => (
          <li key={one.id}>
            <a href={bookHref(one.id)}>
              <Name>{one.name}</Name>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
};
