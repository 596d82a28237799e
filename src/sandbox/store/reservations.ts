import { and, asc, eq, gt, inArray, isNotNull, lte, or, sql } from 'drizzle-orm';
import type { Instant } from '../../platform/model.js';
import type { Behaviour } from '../../platform/profile.js';
import { reservations, schedules } from './schema.js';
import type { Executor } from './store.js';

export type ReservationRow = typeof reservations.$inferSelect;
export type ReservationChange = Partial<Omit<ReservationRow, 'reservationId'>>;

/** One reservation, locked until the transaction ends. A supplier sees its own company's only (G27). */
export async function lockReservation(
  tx: Executor,
  reservationId: number,
  companyId?: number,
): Promise<ReservationRow | undefined> {
  const mine = companyId === undefined ? undefined : eq(reservations.companyId, companyId);
  const [row] = await tx
    .select()
    .from(reservations)
    .where(and(eq(reservations.reservationId, reservationId), mine))
    .for('update');
  return row;
}

export async function updateReservation(
  tx: Executor,
  reservationId: number,
  change: ReservationChange,
): Promise<void> {
  await tx.update(reservations).set(change).where(eq(reservations.reservationId, reservationId));
}

/** @throws a database error (`isOverlap`) when another schedule of the car is in the way */
export async function moveSchedule(
  tx: Executor,
  reservationId: number,
  change: { startAt?: Instant; endAt?: Instant; carId?: number },
): Promise<void> {
  await tx.update(schedules).set(change).where(eq(schedules.reservationId, reservationId));
}

export async function deleteSchedule(tx: Executor, reservationId: number): Promise<void> {
  await tx.delete(schedules).where(eq(schedules.reservationId, reservationId));
}

/** Statuses are literals, not parameters, so that the default profile uses the partial index on the end. */
function isTimed({ fromStates }: Behaviour) {
  const statuses = [...new Set([...fromStates[45], ...fromStates[25]])].sort((a, b) => a - b);
  return sql`${reservations.status} in (${sql.raw(statuses.join(', '))})`;
}

function isUnacknowledged({ fromStates }: Behaviour) {
  return and(isNotNull(reservations.failAt), inArray(reservations.status, [...fromStates[50]]));
}

/** Reservations that time moves by `now` (G36, G37), in no order. */
export function dueReservations(db: Executor, behaviour: Behaviour, now: Instant): Promise<ReservationRow[]> {
  return db
    .select()
    .from(reservations)
    .where(
      or(
        and(isTimed(behaviour), lte(reservations.endAt, now)),
        and(isUnacknowledged(behaviour), lte(reservations.failAt, now)),
      ),
    )
    .limit(500);
}

/** The next instant at which time may move a reservation; null when there is none. */
export async function nextReservationInstant(db: Executor, behaviour: Behaviour): Promise<Instant | null> {
  const [end] = await db
    .select({ at: reservations.endAt })
    .from(reservations)
    .where(isTimed(behaviour))
    .orderBy(asc(reservations.endAt))
    .limit(1);
  const [fail] = await db
    .select({ at: reservations.failAt })
    .from(reservations)
    .where(isUnacknowledged(behaviour))
    .orderBy(asc(reservations.failAt))
    .limit(1);
  const instants = [end?.at, fail?.at].filter((at) => at !== undefined && at !== null);
  return instants.length === 0 ? null : Math.min(...instants);
}

/** The sandbox's own list, ascending id. */
export function pageOfReservations(
  db: Executor,
  after: number,
  limit: number,
  status?: number,
): Promise<ReservationRow[]> {
  const inStatus = status === undefined ? undefined : eq(reservations.status, status);
  return db
    .select()
    .from(reservations)
    .where(and(gt(reservations.reservationId, after), inStatus))
    .orderBy(asc(reservations.reservationId))
    .limit(limit);
}

export async function readReservation(
  db: Executor,
  reservationId: number,
): Promise<ReservationRow | undefined> {
  const [row] = await db.select().from(reservations).where(eq(reservations.reservationId, reservationId));
  return row;
}
