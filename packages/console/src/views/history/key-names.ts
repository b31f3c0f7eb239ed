/** Names of API keys by id. Keys that may not list keys know their own name alone. */
import { answerOf } from '../../api/client';
import { isAdmin, useSession } from '../../session';
import { useLoad } from '../../ui/use-load';

export const useKeyNames = (): ReadonlyMap<string, string> => {
  const { api, key } = useSession();
  const { data } = useLoad<readonly { readonly id: string; readonly name: string }[]>(
    (signal) =>
      isAdmin(key)
        ? answerOf(api.GET('/v1/api-keys', { signal }))
        : Promise.resolve({ ok: true, data: [], response: new Response() }),
    [],
  );
  return new Map([
    ['bootstrap', 'Bootstrap key'],
    ['cli', 'Command line'],
    [key.id, key.name],
    ...(data ?? []).map(({ id, name }) => [id, name] as const),
  ]);
};
