import { Context } from '@temporalio/activity';
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Alerts } from '../src/alerts/alerts.js';
import { bookingAmbiguous, bookingUnknown } from '../src/alerts/messages.js';
import type { BookingDesk } from '../src/bookings/desk.js';
import type { BookingActivities } from '../src/contract/activities.js';
import { reservationWorkflow } from '../src/contract/names.js';
import { type BookedNews, bookedSignal, startOptions } from '../src/contract/reservation.js';
import type { Policy } from '../src/lifecycle/index.js';

export interface BookingDeps {
  client: Client;
  alerts: Pick<Alerts, 'raise' | 'clear'>;
  desk: BookingDesk;
  /** With which a reservation starts that nobody told of before. */
  policy: Policy;
  isClosed(reservationId: number): Promise<boolean>;
}

const kind = 'booking-unknown' as const;
const deadlineMs = 10_000;

/** What keeps bookings, looks for lost ones and settles them (F30-F38). */
export function bookingActivities({
  client,
  alerts,
  desk,
  policy,
  isClosed,
}: BookingDeps): BookingActivities {
  return {
    keepBooking: (kept) => desk.keep(kept),
    lookForBooking: (look) => desk.look(look),
    settleBooking: (settlement) => desk.settle(settlement),
    async raiseBookingAlert({ commandId, at, state, code }) {
      const message = state === 'ambiguous' ? bookingAmbiguous : bookingUnknown(code);
      await alerts.raise({ kind, subject: commandId, message, at });
    },
    async clearBookingAlert({ commandId, at }) {
      await alerts.clear({ kind, subject: commandId, at });
    },
    async tellReservation({ reservationId, booking }) {
      // one that is closed never comes back to life (L08)
      if (await isClosed(reservationId)) return;
      const news: BookedNews = { booking, policy };
      const signal = () =>
        client.workflow.signalWithStart(reservationWorkflow, {
          ...startOptions({ reservationId, policy }, Context.current().info.taskQueue),
          signal: bookedSignal,
          signalArgs: [news],
        });
      try {
        await client.withDeadline(Date.now() + deadlineMs, signal);
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    },
  };
}
