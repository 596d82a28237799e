import type { Instant } from '../../platform/model.js';
import type { Sandbox } from '../context.js';
import type { Happening } from '../core/emission.js';
import { isTerminal, type Status } from '../core/moves.js';
import { Refusal } from '../core/refusal.js';
import { release } from '../core/release.js';
import {
  deleteSchedule,
  lockReservation,
  moveSchedule,
  type ReservationChange,
  type ReservationRow,
  updateReservation,
} from '../store/reservations.js';
import { type Executor, isOverlap } from '../store/store.js';
import { announce } from './announce.js';

/** The change that a decision makes. Absent parts change nothing. */
interface Change {
  to?: Status;
  set?: Omit<ReservationChange, 'status' | 'moves'>;
  /** The R schedule follows a changed period or car. */
  schedule?: { startAt?: Instant; endAt?: Instant; carId?: number };
  happening?: Happening;
  /** Further rows of the same transaction. */
  also?: (tx: Executor) => Promise<void>;
}

export interface ChangeRequest {
  reservationId: number;
  /** The caller's company: another company's reservation does not exist for it (G27). */
  companyId?: number | undefined;
  /** Who moved it: an operation's name, `customer`, `time`, `web-site`. */
  cause: string;
  /** Pure: decides by the locked row, or throws a `Refusal`. Null: nothing to do. */
  decide(row: ReservationRow, now: Instant, tx: Executor): Change | null | Promise<Change | null>;
}

/**
 * The one way in which a reservation changes: in one transaction the row is locked, the decision is taken, and the
 * move, the R schedule (G39) and the callbacks (G31) are written with it.
 * @throws `Refusal` NOT_FOUND, E011 where another schedule of the car is in the way, or what `decide` throws
 */
export async function changeReservation(sandbox: Sandbox, request: ChangeRequest): Promise<ReservationRow> {
  const { db, clock, dispatcher, agenda } = sandbox;
  const done = await db
    .transaction(async (tx) => {
      const row = await lockReservation(tx, request.reservationId, request.companyId);
      if (!row) throw new Refusal('NOT_FOUND', `there is no reservation ${request.reservationId}`);
      const now = clock.now();
      const change = await request.decide(row, now, tx);
      return change === null
        ? { after: row, callbacks: [] }
        : apply(sandbox, tx, { row, change, now, request });
    })
    .catch((error: unknown) => {
      if (isOverlap(error)) throw new Refusal('E011', 'another schedule of the car overlaps this period');
      throw error;
    });
  dispatcher.enqueue(done.callbacks);
  if (done.after.endAt > clock.now()) agenda.note(done.after.endAt);
  return done.after;
}

interface Applied {
  row: ReservationRow;
  change: Change;
  now: Instant;
  request: ChangeRequest;
}

async function apply(sandbox: Sandbox, tx: Executor, { row, change, now, request }: Applied) {
  const { reservationId } = row;
  const set: ReservationChange = { ...change.set };
  if (change.to !== undefined) {
    set.status = change.to;
    set.failAt = null;
    set.moves = [...row.moves, { from: row.status, to: change.to, at: now, cause: request.cause }];
  }
  if (Object.keys(set).length > 0) await updateReservation(tx, reservationId, set);
  const after = { ...row, ...set };
  if (change.to !== undefined && isTerminal(change.to)) await releaseSchedule(tx, after, now);
  if (change.schedule) await moveSchedule(tx, reservationId, change.schedule);
  await change.also?.(tx);
  const { happening } = change;
  if (happening === undefined) return { after, callbacks: [] };
  const previousCarId = after.carId === row.carId ? undefined : row.carId;
  return { after, callbacks: await announce(sandbox, tx, { happening, after, now, previousCarId }) };
}

async function releaseSchedule(tx: Executor, row: ReservationRow, now: Instant): Promise<void> {
  const released = release(row, now);
  if (released === 'delete') await deleteSchedule(tx, row.reservationId);
  else if (released !== 'keep') await moveSchedule(tx, row.reservationId, released);
}
