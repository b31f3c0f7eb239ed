import { useState } from 'preact/hooks';
import { answerOf, type Problem } from '../../api/client';
import { useSession } from '../../session';
import { Dialog } from '../../ui/dialog';
import { Form, TextField } from '../../ui/form';
import { ProblemNotice } from '../../ui/notice';
import type { ApiKey } from './api-key';

interface RenameKeyProps {
  readonly of: ApiKey;
  readonly onRenamed: () => void;
  readonly onClose: () => void;
}

export const RenameKey = ({ of, onRenamed, onClose }: RenameKeyProps) => {
  const { api } = useSession();
  const [name, setName] = useState(of.name);
  const [problem, setProblem] = useState<Problem>();
  const fault = problem?.errors.find(({ pointer }) => pointer === '/name')?.detail;
  const rename = async (): Promise<void> => {
    const answer = await answerOf(
      api.PATCH('/v1/api-keys/{apiKeyId}', { params: { path: { apiKeyId: of.id } }, body: { name } }),
    );
    if (!answer.ok) {
      setProblem(answer.problem);
      return;
    }
    onRenamed();
    onClose();
  };
  return (
    <Dialog title="Rename the key" onClose={onClose}>
      <Form
        onSubmit={() => {
          void rename();
        }}
      >
        <TextField
          label="Name"
          hint="The key itself, its scopes and its expiry stay as they are."
          value={name}
          onInput={setName}
          fault={fault}
          autoFocus
        />
        {problem !== undefined && fault === undefined && <ProblemNotice problem={problem} />}
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Rename
          </button>
        </div>
      </Form>
    </Dialog>
  );
};
