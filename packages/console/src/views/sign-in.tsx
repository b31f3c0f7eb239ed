import { useEffect, useState } from 'preact/hooks';
import { answerOf, createApi } from '../api/client';
import { type OwnKey, storedKey, storeKey } from '../session';
import { Dialog } from '../ui/dialog';
import { Checkbox, Form, TextField } from '../ui/form';
import { Loading } from '../ui/notice';
import { focusTitle } from '../ui/page-title';

interface SignInProps {
  /** A key that was remembered; empty where there is none. */
  readonly initialKey: string;
  /** Whether the view below is kept: its key has stopped working. */
  readonly isAgain: boolean;
  readonly onSignedIn: (key: string, ownKey: OwnKey) => void;
  readonly onSignOut: () => void;
}

const REFUSED = 'The service does not accept this key.';

/** What is wrong, or whose key it is. */
const tryKey = async (key: string): Promise<string | OwnKey> => {
  // Headers hold no other characters, and no key has any.
  if (!/^[\x21-\x7e]+$/.test(key)) return REFUSED;
  const api = createApi(
    () => key,
    () => undefined,
  );
  const answer = await answerOf(api.GET('/v1/api-keys/me'));
  if (answer.ok) return answer.data;
  return answer.problem.status === 401 ? REFUSED : answer.problem.title;
};

export const SignIn = ({ initialKey, isAgain, onSignedIn, onSignOut }: SignInProps) => {
  const [key, setKey] = useState(isAgain ? '' : initialKey);
  const [isRemembered, setRemembered] = useState(storedKey() !== undefined);
  const [fault, setFault] = useState<string>();
  const [isTrying, setTrying] = useState(initialKey !== '' && !isAgain);

  const signIn = async (text: string): Promise<void> => {
    setTrying(true);
    const found = text === '' ? 'Enter an API key.' : await tryKey(text);
    setTrying(false);
    if (typeof found === 'string') {
      if (found === REFUSED && text === storedKey()) storeKey(undefined);
      setFault(found);
      return;
    }
    storeKey(isRemembered ? text : undefined);
    onSignedIn(text, found);
  };

  // A remembered key signs in by itself.
  useEffect(() => {
    if (initialKey !== '' && !isAgain) void signIn(initialKey);
  }, []);

  const form = (
    <Form
      onSubmit={() => {
        focusTitle();
        void signIn(key.trim());
      }}
    >
      <TextField
        label="API key"
        type="password"
        value={key}
        fault={fault}
        hint="The service prints the first key when it starts for the first time."
        autoFocus
        onInput={(text) => {
          setKey(text);
          setFault(undefined);
        }}
      />
      <Checkbox label="Remember on this device" isChecked={isRemembered} onChange={setRemembered} />
      <div class="row apart">
        <button type="submit" class="primary" disabled={isTrying}>
          Sign in
        </button>
        {isAgain && (
          <button type="button" class="plain" onClick={onSignOut}>
            Sign out
          </button>
        )}
      </div>
    </Form>
  );
  if (isAgain) {
    return (
      <Dialog title="Sign in again">
        <p>Your key has stopped working. What you typed is still there.</p>
        {form}
      </Dialog>
    );
  }
  return (
    <div class="stack card">
      <h1>Pricing console</h1>
      {isTrying && fault === undefined && initialKey !== '' ? <Loading what="your books" /> : form}
    </div>
  );
};
