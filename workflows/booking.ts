import { ActivityFailure, sleep } from '@temporalio/workflow';
import type { BookingAttempt } from '../src/contract/activities.js';
import type { BookingResult, BookingStart } from '../src/contract/booking.js';
import { bookingRole, roleSuspendedCode } from '../src/contract/role.js';
import { platform, roles } from './proxies.js';

const patienceMs = 60_000;
const aboutTheKey: readonly string[] = ['UNAUTHORIZED', 'FORBIDDEN', roleSuspendedCode];

/**
 * One booking of a channel (`booking-{commandId}`). Sent again only where the platform certainly did not act
 * (429, or a connection that never opened), for a minute; a lost answer ends as `unknown`, never repeated. A refused
 * key suspends the channel's role (L30): the booking does not wait for it.
 */
export async function booking(start: BookingStart): Promise<BookingResult> {
  const until = Date.now() + patienceMs;
  for (let attempt = 1; ; attempt++) {
    const answer = await attemptBooking(start, attempt);
    if (answer.outcome === 'rejected' && aboutTheKey.includes(answer.code)) {
      await roles.suspendRole({ role: bookingRole, reservationId: null, code: answer.code });
    }
    if (answer.outcome !== 'wait') return answer;
    // `Retry-After: 0` asks for no wait: the platform would be asked without a pause
    const waitMs = answer.retryAfterMs || Math.min(1000 * 2 ** (attempt - 1), 15_000);
    if (Date.now() + waitMs > until) {
      return {
        outcome: 'rejected',
        code: answer.code,
        message: 'the platform took no booking within a minute',
      };
    }
    await sleep(waitMs, { summary: `wait after ${answer.code}` });
  }
}

async function attemptBooking(start: BookingStart, attempt: number): Promise<BookingAttempt> {
  try {
    return await platform.book.executeWithOptions({ summary: `book, attempt ${attempt}` }, [start]);
  } catch (error) {
    if (error instanceof ActivityFailure) return { outcome: 'unknown', code: 'ATTEMPT_LOST' };
    throw error;
  }
}
