import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm';
import type { CallbackKind, Instant } from '../../platform/model.js';
import { callbacks, reservations } from './schema.js';
import type { Executor } from './store.js';

export type CallbackRow = typeof callbacks.$inferSelect;
export type NewCallback = typeof callbacks.$inferInsert;

export async function emit(tx: Executor, rows: NewCallback[]): Promise<CallbackRow[]> {
  return rows.length === 0 ? [] : tx.insert(callbacks).values(rows).returning();
}

/** Callbacks that are to be sent at once, in order of emission: after a restart. */
export function unsent(db: Executor): Promise<CallbackRow[]> {
  return db
    .select()
    .from(callbacks)
    .where(and(eq(callbacks.state, 'waiting'), isNull(callbacks.nextAt)))
    .orderBy(asc(callbacks.callbackId));
}

/** Takes the callbacks whose next attempt is due: nobody else gets them, and a restart sends them at once. */
export async function claimRetries(db: Executor, now: Instant): Promise<CallbackRow[]> {
  const rows = await db
    .update(callbacks)
    .set({ nextAt: null })
    .where(and(eq(callbacks.state, 'waiting'), lte(callbacks.nextAt, now)))
    .returning();
  return rows.sort((a, b) => a.callbackId - b.callbackId);
}

export async function nextRetryInstant(db: Executor): Promise<Instant | null> {
  const [row] = await db
    .select({ at: callbacks.nextAt })
    .from(callbacks)
    .where(and(eq(callbacks.state, 'waiting'), sql`${callbacks.nextAt} is not null`))
    .orderBy(asc(callbacks.nextAt))
    .limit(1);
  return row?.at ?? null;
}

export interface AttemptResult {
  state: 'waiting' | 'acknowledged' | 'given-up';
  attempts: number;
  firstAttemptAt: Instant;
  nextAt: Instant | null;
  lastOutcome: string;
}

/** Keeps what an attempt brought. An acknowledged registration can no longer end in 50 (G36). */
export async function recordAttempt(
  db: Executor,
  callback: { callbackId: number; kind: CallbackKind; reservationId: number },
  result: AttemptResult,
): Promise<void> {
  await db.update(callbacks).set(result).where(eq(callbacks.callbackId, callback.callbackId));
  if (callback.kind === 'registration' && result.state === 'acknowledged') {
    await db
      .update(reservations)
      .set({ failAt: null })
      .where(eq(reservations.reservationId, callback.reservationId));
  }
}
