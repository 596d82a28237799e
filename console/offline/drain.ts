import { endpoints } from '../api/endpoints.js';
import { type Answer, type Received, readAnswer, readOutcome } from '../api/read-answer.js';
import type { Reservation } from '../api/types.js';
import { afterAnswer, type Entry, nextEntry } from './entry.js';

export interface Drained {
  /** Who is logged in, by the service itself: the cookie may be of another user than the page. */
  readUser(): Promise<{ is: 'in'; name: string } | { is: 'login' } | { is: 'offline' }>;
  readAll(): Promise<readonly Entry[]>;
  /** Changes nothing where the user has removed it meanwhile. */
  update(entry: Entry): Promise<void>;
  remove(entry: Entry): Promise<void>;
  send(entry: Entry): Promise<Received>;
  readReservation(id: number): Promise<Received>;
  onApplied(reservation: Reservation): void;
}

/** `waits`: something is left, and nothing can be sent now. */
export type Round = 'done' | 'waits' | 'offline' | 'login';

/**
 * Sends what can be sent, one entry at a time: in their order per reservation, each until it has an outcome. What one
 * reservation waits for delays no other. Called under a lock: no other page of this browser sends meanwhile.
 */
export async function drain(queue: Drained): Promise<Round> {
  await recover(queue);
  const passed = new Set<number>();
  for (;;) {
    const entries = await queue.readAll();
    if (entries.length === 0) return 'done';
    const user = await queue.readUser();
    if (user.is !== 'in') return user.is;
    const entry = nextEntry(entries, user.name, passed);
    if (entry === null) return 'waits';
    const answer = entry.state === 'open' ? await follow(queue, entry) : await attempt(queue, entry);
    const after = afterAnswer(entry, answer);
    if (after === null) await queue.remove(entry);
    else await queue.update(after);
    if (answer.is === 'applied') queue.onApplied(answer.body);
    if (answer.is === 'offline' || answer.is === 'login') return answer.is;
    if (answer.is !== 'applied') passed.add(entry.reservationId);
  }
}

/** A page that was closed while it sent left its entry behind: it may have been executed. */
async function recover(queue: Drained): Promise<void> {
  for (const entry of await queue.readAll()) {
    if (entry.state === 'sending') await queue.update({ ...entry, state: 'lost' });
  }
}

async function attempt(queue: Drained, entry: Entry): Promise<Answer> {
  await queue.update({ ...entry, state: 'sending' });
  const { action, reservationId, key } = entry;
  const request = { params: { id: reservationId }, key };
  return readAnswer(endpoints[action], request, await queue.send(entry));
}

async function follow(queue: Drained, { key, reservationId }: Entry): Promise<Answer> {
  return readOutcome(key, reservationId, await queue.readReservation(reservationId));
}
