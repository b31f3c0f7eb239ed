import { answerOf } from '../../api/client';
import { useSession } from '../../session';
import { RenameDialog } from '../../ui/rename-dialog';
import type { ApiKey } from './api-key';

interface RenameKeyProps {
  readonly of: ApiKey;
  readonly onRenamed: () => void;
  readonly onClose: () => void;
}

export const RenameKey = ({ of, onRenamed, onClose }: RenameKeyProps) => {
  const { api } = useSession();
  return (
    <RenameDialog
      title="Rename the key"
      name={of.name}
      hint="The key itself, its scopes and its expiry stay as they are."
      rename={(name) =>
        answerOf(
          api.PATCH('/v1/api-keys/{apiKeyId}', { params: { path: { apiKeyId: of.id } }, body: { name } }),
        )
      }
      onRenamed={onRenamed}
      onClose={onClose}
    />
  );
};
