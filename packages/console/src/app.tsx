import { useMemo, useRef, useState } from 'preact/hooks';
import { createApi } from './api/client';
import { booksHref, keysHref, useRoute } from './router';
import { isAdmin, type OwnKey, SessionProvider, storedKey, storeKey } from './session';
import { Empty } from './ui/notice';
import { Name } from './ui/text';
import { BookView } from './views/book';
import { BooksView } from './views/books';
import { KeysView } from './views/keys/keys-view';
import { ProductView } from './views/product/product-view';
import { SignIn } from './views/sign-in';

const View = () => {
  const route = useRoute();
  switch (route.view) {
    case 'books':
      return <BooksView />;
    case 'book':
      return <BookView key={route.bookId} bookId={route.bookId} tab={route.tab} />;
    case 'product':
      return (
        <ProductView
          key={`${route.bookId} ${route.productId}`}
          bookId={route.bookId}
          productId={route.productId}
          chosen={route.currency}
        />
      );
    case 'keys':
      return <KeysView />;
    case 'unknown':
      return (
        <Empty title="There is nothing at this address">
          <a href={booksHref}>All price books</a>
        </Empty>
      );
  }
};

interface FrameProps {
  readonly ownKey: OwnKey;
  readonly onSignOut: () => void;
}

const Frame = ({ ownKey, onSignOut }: FrameProps) => {
  const { view } = useRoute();
  return (
    <div class="frame">
      <header class="topbar">
        <nav aria-label="Console">
          <a
            href={booksHref}
            aria-current={view === 'books' ? 'page' : view === 'book' || view === 'product'}
          >
            Books
          </a>
          {isAdmin(ownKey) && (
            <a href={keysHref} aria-current={view === 'keys' ? 'page' : undefined}>
              API keys
            </a>
          )}
        </nav>
        <span class="who small soft">
          <Name>{ownKey.name}</Name>
        </span>
        <button type="button" class="plain" onClick={onSignOut}>
          Sign out
        </button>
      </header>
      <main>
        <View />
      </main>
    </div>
  );
};

/**
 * Asks for a key, and shows the views once there is one. Where a key stops working the sign-in comes over the view: what
 * was typed there stays.
 */
export const App = () => {
  const key = useRef(storedKey() ?? '');
  const [ownKey, setOwnKey] = useState<OwnKey>();
  const [isRefused, setRefused] = useState(false);
  const api = useMemo(
    () =>
      createApi(
        () => key.current,
        () => {
          setRefused(true);
        },
      ),
    [],
  );
  const signOut = (): void => {
    key.current = '';
    storeKey(undefined);
    setOwnKey(undefined);
    setRefused(false);
  };
  const session = useMemo(() => ownKey && { api, key: ownKey }, [api, ownKey]);
  const signIn = (
    <SignIn
      initialKey={key.current}
      isAgain={ownKey !== undefined}
      onSignOut={signOut}
      onSignedIn={(text, signedIn) => {
        key.current = text;
        setRefused(false);
        setOwnKey(signedIn);
      }}
    />
  );
  if (session === undefined || ownKey === undefined) return <main class="sign-in">{signIn}</main>;
  return (
    <SessionProvider value={session}>
      <Frame ownKey={ownKey} onSignOut={signOut} />
      {isRefused && signIn}
    </SessionProvider>
  );
};
