import { cancellationSignal } from '@temporalio/activity';
import type { BookingAttempt } from '../src/contract/activities.js';
import type { BookingStart } from '../src/contract/booking.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import { PlatformCallError } from '../src/platform/errors.js';
import { retryAfter } from './answer.js';

/** One attempt to book (specification, POST /reservations). A lost answer is `unknown`: never sent again blindly. */
export function bookActivity(platform: PlatformClient) {
  return async ({ request }: BookingStart): Promise<BookingAttempt> => {
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
