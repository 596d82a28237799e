import { signal } from '@preact/signals';
import { readPreference, writePreference } from './preferences.js';

const read = () => readPreference('log-out', ['open']) !== undefined;

/**
 * A logout that the service has not confirmed. Scripts cannot delete the cookie, so nothing is requested with it until then: also
 * after a reload, and in every page of this browser.
 */
export const isLogOutOpen = signal(read());

export function setLogOutOpen(isOpen: boolean): void {
  writePreference('log-out', isOpen ? 'open' : '');
  isLogOutOpen.value = isOpen;
}

/** Another page of this browser may have begun it, or ended it. */
export function followLogOut(): void {
  addEventListener('storage', follow);
}

function follow(): void {
  const wasOpen = isLogOutOpen.value;
  isLogOutOpen.value = read();
  if (wasOpen && !isLogOutOpen.value) location.reload();
}
