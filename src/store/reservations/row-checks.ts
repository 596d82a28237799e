import { and, asc, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { Instant } from '../../domain/shared/time.js';
import { clockOf } from '../connection/clock.js';
import { databaseErrorCode } from '../connection/errors.js';
import type { Fence } from '../connection/lease.js';
import { isHeld } from '../connection/lease-holder.js';
import { rowsOf } from '../connection/rows.js';
import type { HandoverDb } from '../handover.js';
import { rowChecks as check, openReservations as row } from '../schema.js';
import { planRound, rowsVersion } from './row-check-plan.js';

/** The round under way. */
interface Round {
  /** The reservations up to this one are compared. */
  place: number;
  isUrgent: boolean;
  beganAt: Instant;
}

/** A row to be compared. */
interface UncheckedRow {
  reservationId: number;
  sequence: number;
}

/** How far the rows are compared. */
interface RowChecksProgress {
  /** Rows that a round which is due or under way has still to compare. */
  unchecked: number;
  /** Milliseconds since the last round ended, or the one under way began; null: there was none yet. */
  ageMs: number | null;
}

/** The rounds in which the rows of lists are compared with their workflows: one at a time of all processes, under a lease. */
export interface RowChecks {
  /** Whether a round has to begin or to continue. */
  isDue(): Promise<boolean>;
  /** The round under way, or a new one; null: none is due, or another process has the lease. */
  begin(fence: Fence): Promise<Round | null>;
  /** The next rows, by reservation; not those that were written since the round began: they are of the workflow's state. */
  next(round: Round, most: number): Promise<UncheckedRow[]>;
  /** @returns false: another process has the lease, or the round is over or has begun again */
  advance(fence: Fence, from: number, to: number): Promise<boolean>;
  /** @returns as `advance` */
  end(fence: Fence, from: number): Promise<boolean>;
  /** Counts rows: a caller shares the answer for a while. */
  progress(): Promise<RowChecksProgress>;
  /** Everything has been compared by something else. */
  recordEnd(): Promise<void>;
  /** A round begins as soon as possible, with the first row. */
  request(): Promise<void>;
}

export function createRowChecks(db: HandoverDb): RowChecks {
  const read = async () => {
    const database = await databaseIdentity(db);
    const [stored] = await db.select().from(check);
    const now = await clockOf(db);
    return { plan: planRound(stored, { version: rowsVersion, database, now }), database, stored, now };
  };
  const isLeft = ({ place, beganAt }: Pick<Round, 'place' | 'beganAt'>) =>
    and(gt(row.reservationId, place), lte(row.writtenAt, beganAt));
  const isUnderWay = (fence: Fence, place: number) =>
    and(isNull(check.endedAt), eq(check.place, place), isHeld(fence));
  const restart = async (isUrgent: boolean, database: string | null, { condition, isOver }: Restart = {}) =>
    rowsOf(
      await db.execute(sql`
        insert into ${check} (id, version, database, is_urgent, ended_at)
        select 1, ${rowsVersion}::integer, ${database}::text, ${isUrgent}::boolean, ${isOver ? sql`now()` : sql`null::timestamptz`}
        where ${condition ?? sql`true`}
        on conflict (id) do update set version = greatest(row_checks.version, excluded.version), database = excluded.database,
          place = 0, is_urgent = excluded.is_urgent, began_at = now(), ended_at = excluded.ended_at
        returning 1`),
    ).length > 0;
  return {
    async isDue() {
      return (await read()).plan !== 'none';
    },
    async begin(fence) {
      const { plan: next, database } = await read();
      if (next === 'none') return null;
      if (next !== 'continue' && !(await restart(next === 'urgent', database, { condition: isHeld(fence) })))
        return null;
      const { place, isUrgent, beganAt } = check;
      const [round] = await db.select({ place, isUrgent, beganAt }).from(check).where(isHeld(fence));
      return round ?? null;
    },
    next: (round, most) =>
      db
        .select({ reservationId: row.reservationId, sequence: row.sequence })
        .from(row)
        .where(isLeft(round))
        .orderBy(asc(row.reservationId))
        .limit(most),
    async advance(fence, from, to) {
      const moved = await db
        .update(check)
        .set({ place: to })
        .where(isUnderWay(fence, from))
        .returning({ id: check.id });
      return moved.length > 0;
    },
    async end(fence, from) {
      const ended = await db
        .update(check)
        .set({ endedAt: sql`now()` })
        .where(isUnderWay(fence, from))
        .returning({ id: check.id });
      return ended.length > 0;
    },
    async progress() {
      const { plan, stored, now } = await read();
      const since = stored?.endedAt ?? stored?.beganAt;
      const left = plan === 'continue' && stored !== undefined ? isLeft(stored) : undefined;
      return {
        unchecked: plan === 'none' ? 0 : await db.$count(row, left),
        ageMs: since === undefined ? null : Math.max(0, now - since),
      };
    },
    async recordEnd() {
      await restart(false, await databaseIdentity(db), { isOver: true });
    },
    async request() {
      await restart(true, await databaseIdentity(db));
    },
  };
}

interface Restart {
  condition?: SQL;
  isOver?: boolean;
}

/** SQLSTATE of a server that does not let us read it, or has no such function. */
const withheld = ['42501', '42883', '0A000'];

/**
 * Differs once the database was restored from a dump or to a moment, and once another server has taken over: both may have lost rows.
 * Null: this server does not report it.
 */
async function databaseIdentity(db: HandoverDb): Promise<string | null> {
  try {
    const [found] = rowsOf<{ identity: string }>(
      await db.execute(sql`
        select system_identifier || '/' || timeline_id as identity from pg_control_system(), pg_control_checkpoint()`),
    );
    return found?.identity ?? null;
  } catch (error) {
    if (withheld.includes(databaseErrorCode(error))) return null;
    throw error;
  }
}
