import { activityInfo } from '@temporalio/activity';
import type { BookingActivities, BookingSending } from '../src/contract/activities.js';
import type { BookingAttempt } from '../src/contract/attempt.js';
import type { BookingStart } from '../src/contract/booking.js';
import { bookingRole } from '../src/contract/role.js';
import { bookingNotStoredCode, runLostCode } from '../src/domain/shared/outcome.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import type { Alerts } from '../src/store/alerts/alerts.js';
import { bookingAmbiguous, bookingHeldBack, bookingUnknown } from '../src/store/alerts/texts.js';
import type { BookingStore } from '../src/store/bookings/bookings.js';
import { type NotifyDeps, notifyReservation } from '../src/temporal/client/reservations/notify.js';
import { bookingAttemptOf } from './shared/attempt-result.js';
import { type SendDeps, sendOnce } from './shared/send-once.js';
import { activityTime } from './shared/time.js';

export interface BookingDeps extends Omit<NotifyDeps, 'notified'> {
  alerts: Pick<Alerts, 'raise' | 'clear'>;
  bookingStore: BookingStore;
}

const kind = 'booking-unknown' as const;

/** What keeps bookings, looks for lost ones and settles them (F30-F38). */
export function bookingActivities({
  client,
  queue,
  alerts,
  bookingStore,
  policy,
  isClosed,
}: BookingDeps): BookingActivities {
  return {
    keepBooking: (booking) => bookingStore.store(booking),
    lookForBooking: (search) => bookingStore.search(search),
    settleBooking: (settlement) => bookingStore.resolve(settlement),
    async raiseBookingAlert({ commandId, at, state, code, message: why }) {
      const message = state === 'ambiguous' ? bookingAmbiguous : bookingUnknown(code, why);
      await alerts.raise({ kind, subject: commandId, message, at });
    },
    async clearBookingAlert({ commandId, at }) {
      await alerts.clear({ kind, subject: commandId, at });
    },
    tellReservation: (news) =>
      notifyReservation({ client, queue, policy, isClosed, notified: bookingStore.markNotified }, news),
  };
}

/**
 * One attempt to book (specification, POST /reservations). A lost answer is `unknown`: never sent again blindly. Nothing
 * is sent while the channel's role is suspended, nor by a run that did not keep the booking: one that was reset has the
 * history of the run that may have sent it (F30).
 */
export function bookActivity(
  platform: PlatformClient,
  { bookingStore, ...sending }: SendDeps & { bookingStore: Pick<BookingStore, 'mayBeSentBy'> },
) {
  return async (
    { commandId, request }: BookingStart,
    { id, leaveWithinMs }: BookingSending = {},
  ): Promise<BookingAttempt> => {
    const time = activityTime();
    const { runId } = activityInfo().workflowExecution ?? {};
    try {
      if (runId === undefined || !(await bookingStore.mayBeSentBy(commandId, runId)))
        return { outcome: 'unknown', code: runLostCode };
    } catch {
      // the database is away: nothing was sent
      return { outcome: 'wait', code: bookingNotStoredCode };
    }
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
    if (ended.outcome === 'applied') return { outcome: 'applied', ...ended.value };
    return bookingAttemptOf(ended, bookingHeldBack);
  };
}
