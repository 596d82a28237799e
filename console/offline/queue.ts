import { effect, signal } from '@preact/signals';
import type { Action, Reservation } from '../api/types.js';
import { onChange } from '../live/changes.js';
import { reservationResource } from '../state/reservation.js';
import { retryWaitMs } from '../state/retry-wait.js';
import { enter, isExpired, me, onLogOut, session } from '../state/session.js';
import { newKey } from '../state/write.js';
import { drain, type Round } from './drain.js';
import type { Entry } from './entry.js';
import { readReservation, readUser, sendEntry } from './send-entry.js';
import {
  addEntry,
  readEntries,
  readPhoto,
  removeEntry,
  removeUnsent,
  updateEntry,
} from './stored-entries.js';
import { isSameUser } from './user.js';

/** What waits on this phone, in its order. */
export const entries = signal<readonly Entry[]>([]);
/** The browser does not read what it has stored: `entries` are those that were read last. */
export const isUnreadable = signal(false);
/** How the last round of sending ended. */
export const round = signal<Round>('done');
/** What was applied since this page was opened, newest first. */
export const applied = signal<readonly Entry[]>([]);
/** Logging out would delete what waits. */
export const isLogOutWarned = signal(false);
/** Called with each reservation that an entry was applied to. */
export const onApplied: { run: (reservation: Reservation) => void } = { run: () => {} };

/** Pages of this browser share the queue: each reads it again after a change. */
const channel = new BroadcastChannel('handover.queue');
const lockName = 'handover.queue';
/** The wait before another round doubles from the first to the last. */
const retryWaits = { firstMs: 3_000, longestMs: 60_000 };

const mostApplied = 20;

/** Rounds in a row that left something. */
let failures = 0;
let retry: ReturnType<typeof setTimeout> | undefined;
let isRunning = false;
let isWanted = false;

/** Sends what waits on load, when a connection or the page returns, and after a login. */
export async function startQueue(): Promise<void> {
  channel.onmessage = () => void refresh();
  addEventListener('online', sendSoon);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && sendSoon());
  onChange(({ event, id }) => {
    const isOurs = ({ reservationId }: Entry) => String(reservationId) === String(id);
    if (event === 'reset' || entries.value.some(isOurs)) sendSoon();
  });
  onLogOut.run = beforeLogOut;
  effect(() => {
    if (session.value.is === 'in' && !isExpired.value) sendSoon();
  });
  await refresh();
}

/** Without the connection a wait of its own would prolong. */
function sendSoon(): void {
  failures = 0;
  void sendAll();
}

/** One round; a call during a round is followed by another. */
async function sendAll(): Promise<void> {
  isWanted = true;
  if (isRunning || me() === null) return;
  isRunning = true;
  clearTimeout(retry);
  try {
    while (isWanted) {
      isWanted = false;
      round.value = await alone(() => drain(drained));
    }
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    // the stores failed: another round tries again
    round.value = 'waits';
  } finally {
    isRunning = false;
    await refresh();
    scheduleRetry();
  }
}

/** Never in two pages at once. Without locks (plain HTTP) the key alone lets a request act once. */
function alone<Result>(run: () => Promise<Result>): Promise<Result> {
  return navigator.locks === undefined ? run() : navigator.locks.request(lockName, run);
}

function scheduleRetry(): void {
  if (!['waits', 'offline'].includes(round.value) || entries.value.length === 0) return;
  failures++;
  retry = setTimeout(() => void sendAll(), retryWaitMs(failures, retryWaits));
}

const drained = {
  readUser: async () => {
    const user = await readUser();
    // the page was opened without a connection, or another page has logged in
    if (user.is === 'in' && (isExpired.value || !isSameUser(me(), user.me))) await enter(user.me);
    return user;
  },
  readAll: readEntries,
  update: (entry: Entry) => changed(updateEntry(entry)),
  remove: async (entry: Entry) => {
    applied.value = [entry, ...applied.value].slice(0, mostApplied);
    await changed(removeEntry(entry));
  },
  send: async (entry: Entry) => sendEntry(entry, entry.hasPhoto ? await readPhoto(entry) : undefined),
  readReservation,
  onApplied: (reservation: Reservation) => {
    reservationResource(reservation.reservationId).accept(reservation);
    onApplied.run(reservation);
  },
};

async function changed(write: Promise<void>): Promise<void> {
  await write;
  channel.postMessage('changed');
  await refresh();
}

async function refresh(): Promise<void> {
  const read = await readEntries().catch(() => null);
  isUnreadable.value = read === null;
  if (read !== null) entries.value = read;
}

export interface Wish {
  reservationId: number;
  plate: string | null;
  action: Action;
  fields: Record<string, string>;
}

/** @throws where this phone cannot store it: then nothing is sent either */
export async function enqueue(wish: Wish, photo: ArrayBuffer | null): Promise<void> {
  const by = me()?.name;
  if (by === undefined) return;
  const stands = { state: 'waiting', problem: null, awaited: null } as const;
  const entry = { ...wish, ...stands, key: newKey(), by, at: Date.now(), hasPhoto: photo !== null };
  await changed(addEntry(entry, photo));
  // the browser may then not delete it to save space
  void navigator.storage?.persist?.();
  sendSoon();
}

/** The user gives it up as it is shown: it is not sent, or not sent again. */
export async function giveUp(entry: Entry): Promise<void> {
  await changed(removeUnsent(entry));
  sendSoon();
}

/** A refused key stands for the refused request: another attempt is another request, also with other fields. */
export async function tryAgain(entry: Entry, fields = entry.fields): Promise<void> {
  await changed(updateEntry({ ...entry, fields, key: newKey(), state: 'waiting', problem: null }));
  sendSoon();
}

/** What waits, or may wait, is deleted only after a warning. */
async function beforeLogOut(): Promise<boolean> {
  await refresh();
  if (isLogOutWarned.value || (entries.value.length === 0 && !isUnreadable.value)) return true;
  isLogOutWarned.value = true;
  return false;
}
