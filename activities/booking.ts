import { activityInfo } from '@temporalio/activity';
import type { BookingActivities, BookingSending } from '../src/contract/activities.js';
import { type BookingAttempt, bookingAttemptOf } from '../src/contract/attempt.js';
import { type BookingEnd, type BookingStart, bookingNews } from '../src/contract/booking.js';
import { bookingRole } from '../src/contract/role.js';
import {
  bookingNotStoredCode,
  type HeldBack,
  runLost,
  type Unknown,
  waitsFor,
} from '../src/domain/shared/outcome.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import type { Alerts } from '../src/store/alerts/alerts.js';
import { message } from '../src/store/alerts/messages/message.js';
import type { BookingStore } from '../src/store/bookings/bookings.js';
import { within } from '../src/store/connection/within.js';
import { type NotifyDeps, notifyReservation } from '../src/temporal/client/reservations/notify.js';
import { type SendDeps, sendOnce } from './shared/send-once.js';
import { type ActivityTime, activityTime } from './shared/time.js';

export interface BookingDeps extends Omit<NotifyDeps, 'notified'> {
  alerts: Pick<Alerts, 'raise' | 'clear'>;
  bookingStore: BookingStore;
}

const kind = 'booking-unknown' as const;
/** The answer to a booking that was held back. */
const bookingHeldBack =
  'The platform does not accept the key of this deployment at the moment; operations know. Try again later.';
/** After this the workflow waits for the database, and decides when to send. */
const storeWithinMs = 2_000;
/** For writing the outcome and notifying its reservation; after this the workflow does the rest. */
const recordWithinMs = 1_500;

/** What stores bookings, searches for lost ones and resolves them (F30-F38). */
export function bookingActivities(deps: BookingDeps): BookingActivities {
  const { alerts, bookingStore } = deps;
  return {
    keepBooking: (booking) => bookingStore.store(booking),
    async lookForBooking(search) {
      const sighting = await bookingStore.search(search);
      if (sighting.kind === 'settled') await notifyFromRow(deps, search.commandId);
      return sighting;
    },
    settleBooking: (settlement) => bookingStore.resolve(settlement),
    async raiseBookingAlert({ commandId, at, state, code, message: why = null }) {
      const text =
        state === 'ambiguous'
          ? message('alert.booking-ambiguous', {})
          : message('alert.booking-unknown', { code, why });
      await alerts.raise({ kind, subject: commandId, message: text, at });
    },
    async clearBookingAlert({ commandId, at }) {
      await alerts.clear({ kind, subject: commandId, at });
    },
    tellReservation: (news) => notifyReservation(notifyDeps(deps), news),
  };
}

function notifyDeps({ bookingStore, ...deps }: BookingDeps): NotifyDeps {
  return { ...deps, notified: bookingStore.markNotified };
}

/** The worker that resolved the booking ended before it notified the reservation. */
async function notifyFromRow(deps: BookingDeps, commandId: string): Promise<void> {
  const news = await deps.bookingStore.unsent(commandId);
  if (news !== undefined) await notifyReservation(notifyDeps(deps), news);
}

/**
 * One attempt to book (specification, POST /reservations). A lost answer is `unknown`: never sent again blindly. Nothing
 * is sent while the channel's role is suspended, nor by a run that did not store the booking: one that was reset has the
 * history of the run that may have sent it (F30).
 */
export function bookActivity(
  platform: PlatformClient,
  { bookings, ...sending }: SendDeps & { bookings: BookingDeps },
) {
  return async (
    start: BookingStart,
    { id, leaveWithinMs, createdAt }: BookingSending = {},
  ): Promise<BookingAttempt> => {
    const time = activityTime();
    const { request } = start;
    const obstacle = await ensureStored(bookings.bookingStore, start, createdAt);
    if (obstacle !== null) return bookingAttemptOf(obstacle, bookingHeldBack);
    const ended = await sendOnce(sending, { role: bookingRole, id, time, leaveWithinMs }, async (options) => {
      const answer = await platform.book(request, options);
      const { reservationId, status, carNumber, pickupAt, returnAt } = answer;
      return {
        reservationId,
        status,
        carNumber,
        pickupAt: pickupAt ?? request.startAt,
        returnAt: returnAt ?? request.endAt,
      };
    });
    const attempt: BookingAttempt =
      ended.outcome === 'applied'
        ? { outcome: 'applied', ...ended.value }
        : bookingAttemptOf(ended, bookingHeldBack);
    return createdAt === undefined ? attempt : recordInTime(bookings, start, { attempt, time });
  };
}

/** F30: without a row of this run nothing is sent. @returns why it is not sent; null: its row is of this run */
async function ensureStored(
  bookingStore: BookingStore,
  start: BookingStart,
  createdAt: number | undefined,
): Promise<HeldBack | Unknown | null> {
  const { runId } = activityInfo().workflowExecution ?? {};
  if (runId === undefined) return runLost;
  const isOurs = async () =>
    createdAt === undefined
      ? bookingStore.mayBeSentBy(start.commandId, runId)
      : (await bookingStore.store({ start, runId, at: createdAt })) === 'kept';
  try {
    return (await within(storeWithinMs, isOurs())) ? null : runLost;
  } catch {
    return { outcome: 'held-back', code: bookingNotStoredCode };
  }
}

/** Records the outcome if there is time; otherwise the workflow does, which decides without it after the activity's limit. */
async function recordInTime(
  deps: BookingDeps,
  start: BookingStart,
  { attempt, time: { until, scheduledAt, begunAt } }: { attempt: BookingAttempt; time: ActivityTime },
): Promise<BookingAttempt> {
  const now = Date.now();
  const withinMs = Math.min(recordWithinMs, until - now);
  if (attempt.outcome === 'unknown' || attempt.outcome === 'wait' || withinMs <= 0) return attempt;
  // not recorded here: if this worker ended then, the recorded refusal would never suspend the role (L30)
  if (attempt.outcome === 'rejected' && waitsFor(attempt.code) === 'key') return attempt;
  // by Temporal's clock, as everything in the reservation
  const at = scheduledAt + now - begunAt;
  const isRecorded = await within(withinMs, recordEnd(deps, start, { at, end: attempt })).catch(() => false);
  return isRecorded ? { ...attempt, isRecorded } : attempt;
}

/** The row first: a worker that ends before it notifies the reservation leaves what it needs for that in the row. */
async function recordEnd(
  deps: BookingDeps,
  start: BookingStart,
  { at, end }: { at: number; end: BookingEnd },
): Promise<boolean> {
  const resolved = await deps.bookingStore.resolve({ commandId: start.commandId, at, end });
  if (resolved.kind !== 'settled') return false;
  if (end.outcome === 'applied') {
    const news = { reservationId: end.reservationId, booking: bookingNews(start, { at, end }) };
    await notifyReservation(notifyDeps(deps), news);
  }
  return true;
}
