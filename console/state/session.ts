import { signal } from '@preact/signals';
import { ApiError, onExpired, send } from '../api/client.js';
import { endpoints } from '../api/endpoints.js';
import type { Me } from '../api/types.js';
import { connectAgain, stopStream } from '../live/stream.js';
import { closeStores } from '../offline/database.js';
import { isSameUser, rememberedUser, rememberUser, type User } from '../offline/user.js';
import { endLogin, endLoginAgain } from './end-login.js';
import { followLogOut, isLogOutOpen, isLogOutStored, setLogOutOpen } from './log-out.js';
import { paths } from './paths.js';

type Session = { is: 'loading' } | { is: 'out' } | { is: 'in'; me: Me } | { is: 'failed'; error: ApiError };

/** Who is logged in. */
export const session = signal<Session>({ is: 'loading' });
/** The login ended while a screen was open: the screen stays, and a dialog logs in again. */
export const isExpired = signal(false);
/** Why the identity provider logged in no one: `unavailable`, `failed` or `refused`. `stored`: a logout left data in this browser. */
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

/** What one page of this browser does, the others follow. Null: logged out. */
const channel = new BroadcastChannel('handover.session');

/** Logs in by the cookie; without one with a token of the address's fragment, which is removed at once. */
export async function startSession(): Promise<void> {
  channel.onmessage = ({ data }: MessageEvent<User | null>) => follow(data);
  followLogOut();
  onExpired.run = () => {
    if (session.value.is === 'in') isExpired.value = true;
  };
  const token = takeFragment('login');
  loginFailure.value = takeFragment('login-failed');
  if (isLogOutOpen.value) {
    session.value = { is: 'out' };
    if (!(await endLogin())) return;
  }
  const known = token === null && location.pathname === paths.field ? await rememberedUser() : null;
  // a bad connection does not delay the work on this phone
  const slow = setTimeout(() => {
    if (known !== null && session.value.is === 'loading') session.value = { is: 'in', me: known };
  }, answerWithinMs);
  try {
    const body = await readMe(token);
    await enter(body);
    announce(body);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (!error.isOpen) session.value = { is: 'out' };
    else session.value = known === null ? { is: 'failed', error } : { is: 'in', me: known };
  } finally {
    clearTimeout(slow);
  }
}

/** A link of another person cannot take the place of the login that the browser has. */
async function readMe(token: string | null): Promise<Me> {
  try {
    return (await send(endpoints.me)).body;
  } catch (error) {
    if (token === null || !(error instanceof ApiError) || error.status !== 401) throw error;
    return (await sendToken(token)).body;
  }
}

/** A page is of one user: another one gets a page without anything that this one has loaded. */
export async function enter(user: Me): Promise<void> {
  const shown = me();
  if (shown !== null && !isSameUser(shown, user)) {
    // otherwise the page would open with the one before where the connection is slow
    if ((await rememberedUser()) !== null) await rememberUser(user);
    location.reload();
    return;
  }
  session.value = { is: 'in', me: user };
  if (!isExpired.value) return;
  isExpired.value = false;
  connectAgain();
}

function announce({ name, role }: User): void {
  channel.postMessage({ name, role });
}

function follow(user: User | null): void {
  // where the logout is over, the message came late: another user may have logged in, with work that waits
  if (user === null) isLogOutStored() ? void leave() : location.reload();
  else if (isExpired.value || !isSameUser(me(), user)) void resumeSession().catch(() => {});
}

/** Another page of this browser may have logged in. @throws `ApiError` */
export async function resumeSession(): Promise<void> {
  await enter((await send(endpoints.me)).body);
}

/** @throws `ApiError` */
export async function logIn(token: string): Promise<void> {
  const { body } = await sendToken(token);
  announce(body);
  await enter(body);
}

export async function logOut(): Promise<void> {
  if (!(await onLogOut.run())) return;
  const left = leave();
  channel.postMessage(null);
  await left;
}

/**
 * Nothing of the user stays in this browser or is shown, also without a connection. What their screens have loaded goes with the page,
 * which is loaded again once the service has ended the login.
 */
async function leave(): Promise<void> {
  if (session.value.is === 'out') return;
  setLogOutOpen(true);
  session.value = { is: 'out' };
  stopStream();
  loginFailure.value = await closeStores().then(
    () => null,
    () => 'stored',
  );
  // a phone opens this page without a connection too
  const path = location.pathname === paths.field ? paths.field : paths.now;
  history.replaceState(null, '', loginFailure.value === null ? path : `${path}#login-failed=stored`);
  await endLoginAgain();
}

/** `/go` opens with the user of this phone where the service does not answer in this time. */
const answerWithinMs = 2_500;
const sendToken = (token: string) => send(endpoints.login, { body: { token } });

/** Of `#name=value`, which leaves the address. */
function takeFragment(name: string): string | null {
  const [found, ...value] = location.hash.slice(1).split('=');
  if (found !== name) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  try {
    return decodeURIComponent(value.join('=')) || null;
  } catch {
    return null;
  }
}
