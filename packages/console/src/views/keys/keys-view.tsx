/** The API keys of the service, for keys of the scope admin. */
import { useState } from 'preact/hooks';
import { answerOf } from '../../api/client';
import { booksHref } from '../../router';
import { isAdmin, useSession } from '../../session';
import { Empty, Loading, ProblemNotice } from '../../ui/notice';
import { PageTitle } from '../../ui/page-title';
import { Name, Time } from '../../ui/text';
import { useLoad } from '../../ui/use-load';
import '../../styles/keys.css';
import type { ApiKey } from './api-key';
import { IssueKey } from './issue-key';
import { RenameKey } from './rename-key';
import { RevokeKey } from './revoke-key';
import { Scroller } from '../../ui/scroller';

type Action = { readonly kind: 'issue' } | { readonly kind: 'rename' | 'revoke'; readonly of: ApiKey };

const Expiry = ({ at }: { readonly at: string | undefined }) => {
  if (at === undefined) return <>Never</>;
  return Date.parse(at) <= Date.now() ? (
    <span class="fault">
      Expired <Time at={at} />
    </span>
  ) : (
    <Time at={at} />
  );
};

interface KeysTableProps {
  readonly keys: readonly ApiKey[];
  readonly onAction: (action: Action) => void;
}

const KeysTable = ({ keys, onAction }: KeysTableProps) => {
  const { key: own } = useSession();
  return (
    <Scroller label="List of API keys">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Scopes</th>
            <th scope="col" class="minor">
              Created
            </th>
            <th scope="col" class="minor">
              Expires
            </th>
            <th scope="col" class="minor">
              Last used
            </th>
            <th scope="col">
              <span class="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row" class="key-name">
                <Name>{key.name}</Name>
                {key.id === own.id && <span class="key-own small">Your key</span>}
                <code class="soft small">{key.id}</code>
              </th>
              <td>{key.scopes.join(', ')}</td>
              <td class="soft key-time minor">
                <Time at={key.createdAt} />
              </td>
              <td class="soft key-time minor">
                <Expiry at={key.expiresAt} />
              </td>
              <td class="soft key-time minor">
                {key.lastUsedAt === undefined ? 'Never' : <Time at={key.lastUsedAt} />}
              </td>
              <td>
                <div class="key-actions">
                  <button
                    type="button"
                    aria-label={`Rename ${key.name}`}
                    onClick={() => {
                      onAction({ kind: 'rename', of: key });
                    }}
                  >
                    Rename
                  </button>
                  <button
                    type="button"
                    class="danger"
                    aria-label={`Revoke ${key.name}`}
                    onClick={() => {
                      onAction({ kind: 'revoke', of: key });
                    }}
                  >
                    Revoke
                  </button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
};

const Keys = () => {
  const { api, key: own } = useSession();
  const {
    data: keys,
    problem,
    reload,
  } = useLoad((signal) => answerOf(api.GET('/v1/api-keys', { signal })), []);
  const [action, setAction] = useState<Action>();
  const close = (): void => {
    setAction(undefined);
  };
  const issue = (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setAction({ kind: 'issue' });
      }}
    >
      Issue a key
    </button>
  );
  return (
    <>
      <div class="row apart">
        <PageTitle title="API keys">API keys</PageTitle>
        {issue}
      </div>
      {own.id === 'bootstrap' && (
        <p class="notice">
          You are signed in with the bootstrap key, which is not in the list. Issue an admin key for yourself,
          and start the service without the bootstrap key.
        </p>
      )}
      {problem !== undefined && <ProblemNotice problem={problem} onRetry={reload} />}
      {keys === undefined && problem === undefined && <Loading what="API keys" />}
      {keys?.length === 0 && (
        <Empty title="No API keys yet">
          <p class="soft">Each program and person that uses the service gets a key of its own.</p>
        </Empty>
      )}
      {keys !== undefined && keys.length > 0 && <KeysTable keys={keys} onAction={setAction} />}
      {action?.kind === 'issue' && <IssueKey onIssued={reload} onClose={close} />}
      {action?.kind === 'rename' && <RenameKey of={action.of} onRenamed={reload} onClose={close} />}
      {action?.kind === 'revoke' && (
        <RevokeKey of={action.of} isOwn={action.of.id === own.id} onRevoked={reload} onClose={close} />
      )}
    </>
  );
};

export const KeysView = () => {
  const { key } = useSession();
  return isAdmin(key) ? (
    <Keys />
  ) : (
    <Empty title="Your key may not manage API keys">
      <p class="soft">Sign in with a key of the scope admin.</p>
      <a href={booksHref}>All price books</a>
    </Empty>
  );
};
