/** Who is signed in: by an API key, which stays in memory unless it is to be remembered on this device. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Api, BASE, type Schemas } from './api/client';

export type OwnKey = Schemas['OwnApiKey'];

export interface Session {
  readonly api: Api;
  readonly key: OwnKey;
}

/** Behind one proxy several services have one origin, and each a path of its own. */
const STORED = `pricebook.key ${new URL(BASE).pathname}`;

/** Where storage is blocked, a key is just not remembered. */
export const storedKey = (): string | undefined => {
  try {
    return localStorage.getItem(STORED) ?? undefined;
  } catch {
    return undefined;
  }
};

export const storeKey = (key: string | undefined): void => {
  try {
    if (key === undefined) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, key);
  } catch {
    // As above.
  }
};

const SessionContext = createContext<Session | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;

export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('a view is shown without a session');
  return session;
};

/** Scopes contain each other: admin keys may write, and keys that write may read. */
export const mayWrite = ({ scopes }: OwnKey): boolean => scopes.some((scope) => scope !== 'read');
export const isAdmin = ({ scopes }: OwnKey): boolean => scopes.includes('admin');
