import { answerOf, type Schemas } from '../api/client';
import { bookHref } from '../router';
import { useSession } from '../session';
import { Name } from '../ui/text';
import { useLoad } from '../ui/use-load';

type PriceBook = Schemas['PriceBook'];

interface BaseChainProps {
  /** The base of a book. */
  readonly bookId: string;
  /** Whether each leads to its book. */
  readonly isLinked?: boolean;
  /** Books that need not be loaded. */
  readonly known?: ReadonlyMap<string, PriceBook> | undefined;
}

interface BaseProps extends BaseChainProps {
  /** Undefined as long as it is not loaded. */
  readonly book: PriceBook | undefined;
}

const Base = ({ book, bookId, ...others }: BaseProps) => {
  const name = book === undefined ? 'another book' : <Name>{book.name}</Name>;
  return (
    <>
      {others.isLinked === true ? <a href={bookHref(bookId)}>{name}</a> : name}
      {book?.basePriceBookId !== undefined && (
        <>
          {' › '}
          <BaseChain bookId={book.basePriceBookId} {...others} />
        </>
      )}
    </>
  );
};

const LoadedBase = (props: BaseChainProps) => {
  const { api } = useSession();
  const { bookId: priceBookId } = props;
  const { data } = useLoad(
    (signal) =>
      answerOf(api.GET('/v1/pricebooks/{priceBookId}', { params: { path: { priceBookId } }, signal })),
    [priceBookId],
  );
  return <Base {...props} book={data} />;
};

/** The base of a book, the base of that, and so on. */
export const BaseChain = (props: BaseChainProps) => {
  const book = props.known?.get(props.bookId);
  return book === undefined ? <LoadedBase {...props} /> : <Base {...props} book={book} />;
};
