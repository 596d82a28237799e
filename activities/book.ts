import { Context, cancellationSignal } from '@temporalio/activity';
import { bookingHeldBack } from '../src/alerts/messages.js';
import type { RoleGate } from '../src/alerts/role-gate.js';
import type { BookingDesk } from '../src/bookings/desk.js';
import type { BookingAttempt } from '../src/contract/activities.js';
import type { BookingStart } from '../src/contract/booking.js';
import { bookingRole } from '../src/contract/role.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import { attemptOf } from './attempt.js';

/**
 * One attempt to book (specification, POST /reservations). A lost answer is `unknown`: never sent again blindly. Nothing
 * is sent while the channel's role is suspended, nor by a run that did not keep the booking: one that was reset has the
 * history of the run that may have sent it (F30).
 */
export function bookActivity(
  platform: PlatformClient,
  { gate, desk }: { gate: Pick<RoleGate, 'isSuspended'>; desk: Pick<BookingDesk, 'mayBeSentBy'> },
) {
  return async ({ commandId, request }: BookingStart): Promise<BookingAttempt> => {
    const { runId } = Context.current().info.workflowExecution ?? {};
    try {
      if (runId === undefined || !(await desk.mayBeSentBy(commandId, runId)))
        return { outcome: 'unknown', code: 'RUN_LOST' };
    } catch {
      // the database is away: nothing was sent
      return { outcome: 'wait', code: 'BOOKING_NOT_KEPT' };
    }
    const call = () => platform.book(request, { signal: cancellationSignal() });
    const attempt = await attemptOf(gate, bookingRole, call);
    switch (attempt.kind) {
      case 'done':
        return { outcome: 'applied', ...attempt.value };
      case 'wait': {
        const { kind: _, ...wait } = attempt;
        return { outcome: 'wait', ...wait };
      }
      case 'suspended':
        return { outcome: 'rejected', code: attempt.code, message: bookingHeldBack };
      case 'refused':
        return { outcome: 'rejected', code: attempt.code, message: attempt.message };
      case 'unknown':
        return { outcome: 'unknown', code: attempt.code };
    }
  };
}
