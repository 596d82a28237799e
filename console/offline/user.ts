import type { Me } from '../api/types.js';
import { inStores } from './database.js';

export type User = Pick<Me, 'name' | 'role'>;

export function isSameUser(one: User | null | undefined, other: User): boolean {
  return one?.name === other.name && one.role === other.role;
}

/**
 * Who is logged in, so that the page opens without a connection: no token, and no cookie. The jobs of another user are deleted. Their
 * actions stay: no other login sends them.
 */
export async function rememberUser(me: Me): Promise<void> {
  await inStores(['user', 'jobs'], 'readwrite', (store) => {
    const before = store('user').get('me') as IDBRequest<Me | undefined>;
    before.onsuccess = () => {
      if (!isSameUser(before.result, me)) for (const name of ['user', 'jobs'] as const) store(name).clear();
      store('user').put(me, 'me');
    };
    return before;
  }).catch(() => {});
}

/** Null: no user has worked on this phone, or the last one has logged out. */
export async function rememberedUser(): Promise<Me | null> {
  const stored = inStores<Me>(['user'], 'readonly', (store) => store('user').get('me'));
  return (await stored.catch(() => undefined)) ?? null;
}
