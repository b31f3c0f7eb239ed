import { useState } from 'preact/hooks';
import { answerOf, type Problem, type Schemas } from '../../api/client';
import { useSession } from '../../session';
import { Dialog } from '../../ui/dialog';
import { Checkbox, Form, TextField } from '../../ui/form';
import { instantOf } from '../../ui/instant';
import { ProblemNotice } from '../../ui/notice';
import { IssuedKey } from './issued-key';

type Scope = Schemas['Scope'];

const SCOPES: readonly (readonly [Scope, string])[] = [
  ['read', 'Read: prices, books and their history'],
  ['write', 'Write: what read may, and change books and prices'],
  ['admin', 'Admin: what write may, and manage keys and webhooks'],
];

interface IssueKeyProps {
  readonly onIssued: () => void;
  readonly onClose: () => void;
}

export const IssueKey = ({ onIssued, onClose }: IssueKeyProps) => {
  const { api } = useSession();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['read']);
  const [expiry, setExpiry] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [isSending, setSending] = useState(false);
  const [issued, setIssued] = useState<Schemas['IssuedApiKey']>();

  const issue = async (): Promise<void> => {
    if (isSending) return;
    setSending(true);
    // The service says what is wrong with one that is no time.
    const expiresAt = expiry === '' ? undefined : (instantOf(expiry) ?? expiry);
    const answer = await answerOf(
      api.POST('/v1/api-keys', {
        body: { name, scopes: [...scopes], ...(expiresAt !== undefined && { expiresAt }) },
      }),
    );
    setSending(false);
    if (!answer.ok) {
      setProblem(answer.problem);
      return;
    }
    setIssued(answer.data);
    onIssued();
  };
  if (issued !== undefined) return <IssuedKey issued={issued} onClose={onClose} />;

  const faultAt = (field: string) =>
    problem?.errors.find(({ pointer }) => pointer === `/${field}` || pointer.startsWith(`/${field}/`))
      ?.detail;
  const isSaid = problem?.errors.every(({ pointer }) => /^\/(name|scopes|expiresAt)/.test(pointer)) ?? false;
  const scopesFault = faultAt('scopes');
  return (
    <Dialog title="Issue a key" onClose={onClose}>
      <Form
        onSubmit={() => {
          void issue();
        }}
      >
        <TextField
          label="Name"
          hint="Who or what uses it, such as Web shop."
          value={name}
          onInput={(text) => {
            setName(text);
            setProblem(undefined);
          }}
          fault={faultAt('name')}
          autoFocus
        />
        <fieldset class="key-scopes">
          <legend>Scopes</legend>
          {SCOPES.map(([scope, label]) => (
            <Checkbox
              key={scope}
              label={label}
              isChecked={scopes.includes(scope)}
              onChange={(isChecked) => {
                setScopes(isChecked ? [...scopes, scope] : scopes.filter((one) => one !== scope));
              }}
            />
          ))}
          {scopesFault !== undefined && (
            <p class="fault" role="alert">
              {scopesFault}
            </p>
          )}
        </fieldset>
        <TextField
          label="Expires"
          hint="In your time zone. Leave it empty for a key that does not expire."
          type="datetime-local"
          value={expiry}
          onInput={setExpiry}
          fault={faultAt('expiresAt')}
        />
        {problem !== undefined && (!isSaid || problem.errors.length === 0) && (
          <ProblemNotice problem={problem} />
        )}
        {(problem?.status === 0 || problem?.status === 503) && (
          <p class="soft small">
            The key may have been issued although its answer was lost. If the list shows one that you do not
            have, revoke it.
          </p>
        )}
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isSending}>
            Issue
          </button>
        </div>
      </Form>
    </Dialog>
  );
};
