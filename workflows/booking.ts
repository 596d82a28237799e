import {
  ActivityFailure,
  CancellationScope,
  defineUpdate,
  patched,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { BookingAttempt } from '../src/contract/activities.js';
import {
  type BookingResult,
  type BookingStart,
  type ResolveBookingInput,
  resolveBookingUpdate,
} from '../src/contract/booking.js';
import { bookingRole, roleSuspendedCode } from '../src/contract/role.js';
import { BookingRun } from './booking-run.js';
import { platform, roles } from './proxies.js';

const patienceMs = 60_000;
const aboutTheKey: readonly string[] = ['UNAUTHORIZED', 'FORBIDDEN', roleSuspendedCode];
const resolve = defineUpdate<'settled', [ResolveBookingInput]>(resolveBookingUpdate);

/**
 * One booking of a channel (`booking-{commandId}`), kept before it is sent (F30) and open until it is settled: by the
 * platform's answer, by a callback that shows it (F31, F32), or by a person (F35).
 */
export async function booking(start: BookingStart): Promise<BookingResult> {
  // a booking that began under 0.1.0 is not kept: it ends as it did there
  if (!patched('bookings-are-kept')) return sent(start);
  const run = new BookingRun(start, (until) => sent(start, until));
  setHandler(resolve, (input) => run.resolve(input), { validator: (_input) => run.check() });
  // it ends by its own rules: a request to cancel the workflow, one click in Temporal UI, changes nothing
  return CancellationScope.nonCancellable(() => run.toItsEnd());
}

/**
 * Sent again only where the platform certainly did not act (429, or a connection that never opened), for a minute; a
 * lost answer ends as `unknown`, never repeated. A refused key suspends the channel's role (L30): the booking does not
 * wait for it.
 */
async function sent(start: BookingStart, until = Date.now() + patienceMs): Promise<BookingResult> {
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
