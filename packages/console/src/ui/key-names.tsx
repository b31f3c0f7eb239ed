/** Who did something: API keys, by their names where these are known. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { answerOf } from '../api/client';
import { isAdmin, useSession } from '../session';
import { Name } from './text';
import { useLoad } from './use-load';

const NamesContext = createContext<ReadonlyMap<string, string>>(new Map());

/** Loads them for what is within. Keys that may not list keys know their own name alone. */
export const KeyNames = ({ children }: { readonly children: ComponentChildren }) => {
  const { api, key } = useSession();
  const { data = [] } = useLoad<readonly { readonly id: string; readonly name: string }[]>(
    (signal) =>
      isAdmin(key)
        ? answerOf(api.GET('/v1/api-keys', { signal }))
        : Promise.resolve({ ok: true, data: [], response: new Response() }),
    [],
  );
  const names = new Map([
    ['bootstrap', 'Bootstrap key'],
    ['cli', 'Command line'],
    [key.id, key.name],
    ...data.map(({ id, name }) => [id, name] as const),
  ]);
  return <NamesContext.Provider value={names}>{children}</NamesContext.Provider>;
};

/** The name of a key, or its id where that is all that is known. */
export const useKeyName = (id: string): string => useContext(NamesContext).get(id) ?? id;

export const Actor = ({ id }: { readonly id: string }) => {
  const { key } = useSession();
  const name = useContext(NamesContext).get(id);
  return (
    <>
      {name === undefined && 'key '}
      <Name>{name ?? id}</Name>
      {id === key.id && ' (you)'}
    </>
  );
};
