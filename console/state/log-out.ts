import { signal } from '@preact/signals';
import { readPreference, writePreference } from './preferences.js';

/** As this browser has stored it; a page that the browser suspended may learn of it late. */
export const isLogOutStored = () => readPreference('log-out', ['open']) !== undefined;

/**
 * A logout that the service has not confirmed. Scripts cannot delete the cookie, so nothing is requested with it until then: also
 * after a reload, and in every page of this browser.
 */
export const isLogOutOpen = signal(isLogOutStored());
/** Whether this page has read or written it there: storage may be off. */
let wasStored = isLogOutOpen.peek();

export function setLogOutOpen(isOpen: boolean): void {
  writePreference('log-out', isOpen ? 'open' : '');
  isLogOutOpen.value = isOpen;
  wasStored = isLogOutStored();
}

/** Another page has ended it: its user may have logged in since. */
export function isLogOutOver(): boolean {
  return wasStored && !isLogOutStored();
}

/** Another page of this browser may have begun it, or ended it. */
export function followLogOut(): void {
  addEventListener('storage', follow);
}

function follow(): void {
  const wasOpen = isLogOutOpen.value;
  isLogOutOpen.value = isLogOutStored();
  wasStored ||= isLogOutOpen.value;
  if (wasOpen && !isLogOutOpen.value) location.reload();
}
