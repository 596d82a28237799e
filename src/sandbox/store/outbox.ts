import { and, asc, eq, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import type { Instant } from '../../platform/model.js';
import { callbacks, reservations } from './schema.js';
import type { Executor } from './store.js';

export type CallbackRow = typeof callbacks.$inferSelect;
export type NewCallback = typeof callbacks.$inferInsert;

export async function emit(tx: Executor, rows: NewCallback[]): Promise<CallbackRow[]> {
  return rows.length === 0 ? [] : tx.insert(callbacks).values(rows).returning();
}

/** Callbacks that are to be sent at once, in order of emission: after a restart. */
export function readUnsent(db: Executor): Promise<CallbackRow[]> {
  return db
    .select()
    .from(callbacks)
    .where(and(eq(callbacks.state, 'waiting'), isNull(callbacks.nextAt)))
    .orderBy(asc(callbacks.callbackId));
}

/** Claims the callbacks whose next attempt is due: no other caller gets them, and a restart sends them at once. */
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
    .where(and(eq(callbacks.state, 'waiting'), isNotNull(callbacks.nextAt)))
    .orderBy(asc(callbacks.nextAt))
    .limit(1);
  return row?.at ?? null;
}

export interface AttemptResult {
  callbackId: number;
  webhookId: string;
  state: 'waiting' | 'acknowledged' | 'given-up';
  attempts: number;
  /** Null before its first attempt. */
  firstAttemptAt: Instant | null;
  nextAt: Instant | null;
  lastOutcome: string;
}

/**
 * Stores the results of attempts in one statement. Row numbers begin at 1 again after a reset, so the `webhook-id` must
 * match too.
 */
export async function recordAttempts(db: Executor, results: readonly AttemptResult[]): Promise<void> {
  const iso = (at: Instant | null) => (at === null ? null : new Date(at).toISOString());
  const rows = results.map((result) => ({
    ...result,
    firstAttemptAt: iso(result.firstAttemptAt),
    nextAt: iso(result.nextAt),
  }));
  const brought = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as brought("callbackId" bigint, "webhookId" text, "state" text,
    "attempts" int, "firstAttemptAt" timestamptz, "nextAt" timestamptz, "lastOutcome" text)`;
  await db
    .update(callbacks)
    .set({
      state: sql`brought."state"`,
      attempts: sql`brought."attempts"`,
      firstAttemptAt: sql`brought."firstAttemptAt"`,
      nextAt: sql`brought."nextAt"`,
      lastOutcome: sql`brought."lastOutcome"`,
    })
    .from(brought)
    .where(
      sql`${callbacks.callbackId} = brought."callbackId" and ${callbacks.webhookId} = brought."webhookId"`,
    );
}

/** These reservations' registrations are acknowledged: they can no longer end in 50 (G36). */
export async function acknowledgeRegistrations(db: Executor, reservationIds: number[]): Promise<void> {
  if (reservationIds.length === 0) return;
  await db
    .update(reservations)
    .set({ failAt: null })
    .where(and(inArray(reservations.reservationId, reservationIds), isNotNull(reservations.failAt)));
}
