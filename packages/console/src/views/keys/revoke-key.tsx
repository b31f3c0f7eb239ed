import { useState } from 'preact/hooks';
import { answerOf, type Problem } from '../../api/client';
import { useSession } from '../../session';
import { Dialog } from '../../ui/dialog';
import { Notice, ProblemNotice } from '../../ui/notice';
import { Name, Time } from '../../ui/text';
import type { ApiKey } from './api-key';

interface RevokeKeyProps {
  readonly of: ApiKey;
  /** Whether it is the key that this page is signed in with. */
  readonly isOwn: boolean;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}

export const RevokeKey = ({ of, isOwn, onRevoked, onClose }: RevokeKeyProps) => {
  const { api } = useSession();
  const [problem, setProblem] = useState<Problem>();
  const [isSending, setSending] = useState(false);
  const revoke = async (): Promise<void> => {
    setSending(true);
    const answer = await answerOf(
      api.DELETE('/v1/api-keys/{apiKeyId}', { params: { path: { apiKeyId: of.id } } }),
    );
    setSending(false);
    // A key that is gone already, such as after a lost answer, is what was asked for.
    if (!answer.ok && answer.problem.status !== 404) {
      setProblem(answer.problem);
      return;
    }
    onRevoked();
    onClose();
  };
  return (
    <Dialog title="Revoke the key" onClose={onClose}>
      <p>
        Clients that use <Name>{of.name}</Name> are refused within a second. This cannot be undone.{' '}
        {of.lastUsedAt === undefined ? (
          'It was never used.'
        ) : (
          <>
            It was last used <Time at={of.lastUsedAt} />.
          </>
        )}
      </p>
      {isOwn && (
        <Notice kind="warning">
          <p>
            <strong>You are signed in with this key.</strong>
          </p>
          <p>After you revoke it, this page asks you to sign in with another key.</p>
        </Notice>
      )}
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <div class="row end">
        <button type="button" autoFocus onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="danger"
          disabled={isSending}
          onClick={() => {
            void revoke();
          }}
        >
          Revoke
        </button>
      </div>
    </Dialog>
  );
};
