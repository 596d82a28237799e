import { receive } from '../api/client.js';
import { endpoints } from '../api/endpoints.js';
import { isLogOutOpen, isLogOutOver, setLogOutOpen } from './log-out.js';
import { retryWaitMs } from './retry-wait.js';

const retryWaits = { firstMs: 2_000, longestMs: 60_000 };

let attempt: Promise<boolean> | undefined;
let failures = 0;
let retry: ReturnType<typeof setTimeout> | undefined;

/** Has the service remove the cookie, where a logout is open. False: it did not answer, and is requested again later. */
export function endLogin(): Promise<boolean> {
  attempt ??= request().finally(() => {
    attempt = undefined;
  });
  return attempt;
}

async function request(): Promise<boolean> {
  if (!isLogOutOpen.value || isLogOutOver()) return true;
  clearTimeout(retry);
  const { status } = await receive(endpoints.logout, {});
  if (status !== 204) {
    failures++;
    retry = setTimeout(endLoginAgain, retryWaitMs(failures, retryWaits));
    addEventListener('online', endLoginAgain);
    return false;
  }
  failures = 0;
  setLogOutOpen(false);
  return true;
}

/** After it the page is loaded again, without anything of the user before. */
export async function endLoginAgain(): Promise<void> {
  if (await endLogin()) location.reload();
}
