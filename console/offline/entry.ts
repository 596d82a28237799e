import type { Action, Command, Problem, Reservation } from '../api/types.js';
import { refusalOf } from '../state/refusal.js';

/** An action of the user that this phone stores until it has an outcome. Its photo is stored beside it. */
export interface Entry {
  /** Entries of one reservation are sent in this order. */
  order: number;
  /** The Idempotency-Key: however often it is sent, it acts once. */
  key: string;
  /** The user; no other login sends it. */
  by: string;
  at: number;
  reservationId: number;
  plate: string | null;
  action: Action;
  fields: Record<string, string>;
  hasPhoto: boolean;
  /**
   * `lost`: it may have been executed, and is sent again with its key. `open`: the service has it, the outcome is not known.
   * `refused`: it is not executed, and the entries after it wait for the user.
   */
  state: 'waiting' | 'sending' | 'lost' | 'open' | 'refused';
  /** Of a refusal. */
  problem: Problem | null;
  /** What the service awaits of an open one. */
  awaited: Command['outcome'] | null;
}

/** What arrived after a request; status 0: nothing did. */
export interface Received {
  status: number;
  body: unknown;
}

export type Answer =
  | { is: 'applied'; reservation: Reservation }
  | { is: 'open'; awaited: Command['outcome'] }
  | { is: 'refused'; problem: Problem }
  /** An answer that does not show whether it was executed. */
  | { is: 'lost' }
  | { is: 'offline' }
  | { is: 'login' };

/** The service, or what is before it, had no time. */
const later = [408, 425, 429];

/**
 * What an answer shows of an entry. Only what this API writes counts: the page of a network's own login is neither success
 * nor refusal.
 */
export function readAnswer({ key, reservationId }: Entry, { status, body }: Received): Answer {
  if (status === 0) return { is: 'offline' };
  if (status === 401) return { is: 'login' };
  if (status === 200 && isReservation(body, reservationId)) return { is: 'applied', reservation: body };
  if (status === 202 && isCommand(body, key)) return { is: 'open', awaited: body.outcome };
  const isRefusal = status >= 400 && status < 500 && !later.includes(status) && isProblem(body);
  return isRefusal ? { is: 'refused', problem: body } : { is: 'lost' };
}

/** What the reservation shows of an open entry. */
export function readOutcome(entry: Entry, { status, body }: Received): Answer {
  if (status === 0) return { is: 'offline' };
  if (status === 401) return { is: 'login' };
  const open: Answer = { is: 'open', awaited: entry.awaited ?? 'queued' };
  if (status !== 200 || !isReservation(body, entry.reservationId)) return open;
  const command = body.commands.find(({ commandId }) => commandId === entry.key);
  if (command === undefined) return open;
  if (command.outcome === 'applied') return { is: 'applied', reservation: body };
  if (command.outcome !== 'rejected') return { is: 'open', awaited: command.outcome };
  return { is: 'refused', problem: refusalOf(command) };
}

/** The entry after an answer; null: it has its outcome, and nothing of it stays on the phone. */
export function afterAnswer(before: Entry, answer: Answer): Entry | null {
  switch (answer.is) {
    case 'applied':
      return null;
    case 'open':
      return { ...before, state: 'open', awaited: answer.awaited };
    case 'refused':
      return { ...before, state: 'refused', problem: answer.problem };
    case 'login':
      return before;
    default:
      return { ...before, state: before.state === 'open' ? 'open' : 'lost' };
  }
}

/**
 * The entry whose turn it is: the first of its reservation, of this user, not refused.
 * @param passed reservations that wait in this round
 */
export function nextEntry(
  entries: readonly Entry[],
  user: string,
  passed: ReadonlySet<number>,
): Entry | null {
  const seen = new Set(passed);
  for (const entry of [...entries].sort((a, b) => a.order - b.order)) {
    if (seen.has(entry.reservationId)) continue;
    seen.add(entry.reservationId);
    if (entry.by === user && entry.state !== 'refused') return entry;
  }
  return null;
}

function isReservation(body: unknown, id: number): body is Reservation {
  return isObject(body) && body.reservationId === id && Array.isArray(body.commands);
}

function isCommand(body: unknown, key: string): body is Command {
  return isObject(body) && body.commandId === key;
}

function isProblem(body: unknown): body is Problem {
  return isObject(body) && typeof body.code === 'string' && typeof body.detail === 'string';
}

function isObject(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null;
}
