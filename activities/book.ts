import { cancellationSignal } from '@temporalio/activity';
import { bookingHeldBack } from '../src/alerts/messages.js';
import type { RoleGate } from '../src/alerts/role-gate.js';
import type { BookingAttempt } from '../src/contract/activities.js';
import type { BookingStart } from '../src/contract/booking.js';
import { bookingRole, roleSuspendedCode } from '../src/contract/role.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import { PlatformCallError } from '../src/platform/errors.js';
import { retryAfter } from './answer.js';

/**
 * One attempt to book (specification, POST /reservations). A lost answer is `unknown`: never sent again blindly. Nothing
 * is sent while the channel's role is suspended.
 */
export function bookActivity(platform: PlatformClient, gate: Pick<RoleGate, 'isSuspended'>) {
  return async ({ request }: BookingStart): Promise<BookingAttempt> => {
    if (await gate.isSuspended(bookingRole))
      return { outcome: 'rejected', code: roleSuspendedCode, message: bookingHeldBack };
    try {
      const answer = await platform.book(request, { signal: cancellationSignal() });
      return { outcome: 'applied', ...answer };
    } catch (error) {
      if (!(error instanceof PlatformCallError)) throw error;
      const { code, message } = error;
      if (code === 'RATE_LIMITED' || code === 'UNREACHABLE')
        return { outcome: 'wait', code, ...retryAfter(error) };
      if (error.outcome === 'unknown') return { outcome: 'unknown', code };
      return { outcome: 'rejected', code, message };
    }
  };
}
