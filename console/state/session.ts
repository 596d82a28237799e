import { signal } from '@preact/signals';
import { ApiError, onExpired, send } from '../api/client.js';
import { endpoints } from '../api/endpoints.js';
import type { Me } from '../api/types.js';
import { rememberedUser } from '../offline/user.js';

type Session = { is: 'loading' } | { is: 'out' } | { is: 'in'; me: Me } | { is: 'failed'; error: ApiError };

/** Who is logged in. */
export const session = signal<Session>({ is: 'loading' });
/** The login ended while a screen was open: the screen stays, and a dialog logs in again. */
export const isExpired = signal(false);
/** Why the identity provider logged in no one: `unavailable`, `failed` or `refused`. */
export const loginFailure = signal<string | null>(null);

export function me(): Me | null {
  return session.value.is === 'in' ? session.value.me : null;
}

const roles: readonly Me['role'][] = ['viewer', 'staff', 'manager'];
/** Whether the user has this role or a higher one. */
export function may(role: Me['role']): boolean {
  const mine = me()?.role;
  return mine !== undefined && roles.indexOf(mine) >= roles.indexOf(role);
}

/** Called before the login is removed; false: the user stays. */
export const onLogOut: { run: () => Promise<boolean> } = { run: async () => true };

/** Logs in with a token of the address's fragment, which is removed at once; otherwise by the cookie. */
export async function startSession(): Promise<void> {
  onExpired.run = () => {
    if (session.value.is === 'in') isExpired.value = true;
  };
  const token = takeFragment('login');
  loginFailure.value = takeFragment('login-failed');
  const known = token === null && location.pathname === '/go' ? await rememberedUser() : null;
  // a bad connection does not delay the work on this phone
  const slow = setTimeout(() => {
    if (known !== null && session.value.is === 'loading') session.value = { is: 'in', me: known };
  }, answerWithinMs);
  try {
    const { body } = token === null ? await send(endpoints.me) : await sendToken(token);
    session.value = { is: 'in', me: body };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (!error.isOpen) session.value = { is: 'out' };
    else session.value = known === null ? { is: 'failed', error } : { is: 'in', me: known };
  } finally {
    clearTimeout(slow);
  }
}

/** Another page of this browser may have logged in. */
export async function resumeSession(): Promise<void> {
  const { body } = await send(endpoints.me);
  session.value = { is: 'in', me: body };
  isExpired.value = false;
}

/** @throws `ApiError` */
export async function logIn(token: string): Promise<void> {
  const { body } = await sendToken(token);
  session.value = { is: 'in', me: body };
  isExpired.value = false;
}

export async function logOut(): Promise<void> {
  if (!(await onLogOut.run())) return;
  await send(endpoints.logout).catch(() => {});
  // what other users' screens have loaded goes with the page
  location.assign('/');
}

/** `/go` opens with the user of this phone where the service does not answer in this time. */
const answerWithinMs = 2_500;
const sendToken = (token: string) => send(endpoints.login, { body: { token } });

/** Of `#name=value`, which leaves the address. */
function takeFragment(name: string): string | null {
  const [found, value] = location.hash.slice(1).split('=');
  if (found !== name || value === undefined || value === '') return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return decodeURIComponent(value);
}
