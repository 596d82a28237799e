import type { Me } from '../api/types.js';
import { inStores } from './database.js';

/** Who is logged in, so that the page opens without a connection: no token, and no cookie. */
export async function rememberUser(me: Me): Promise<void> {
  await inStores(['user'], 'readwrite', (store) => store('user').put(me, 'me')).catch(() => {});
}

/** Null: no user has worked on this phone, or the last one has logged out. */
export async function rememberedUser(): Promise<Me | null> {
  const stored = inStores<Me>(['user'], 'readonly', (store) => store('user').get('me'));
  return (await stored.catch(() => undefined)) ?? null;
}
