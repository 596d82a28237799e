import {
  CancellationScope,
  defineUpdate,
  patched,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { outcomeOfBooking, type SentBooking, startWithinMs } from '../../src/contract/attempt.js';
import {
  type AwaitedBooking,
  awaitBookingUpdate,
  type BookingEnd,
  type BookingResult,
  type BookingStart,
  type ResolveBookingInput,
  resolveBookingUpdate,
} from '../../src/contract/booking.js';
import { bookingQueueOf } from '../../src/contract/names.js';
import { bookingRole } from '../../src/contract/role.js';
import { type Backoff, backoffMs } from '../../src/domain/shared/backoff.js';
import { bookingNotStoredCode, type HeldBack, waitsFor } from '../../src/domain/shared/outcome.js';
import { attemptId, endOf } from '../shared/attempts.js';
import { platform, roles } from '../shared/proxies.js';
import { BookingRun } from './run.js';
import { bookingNotSent, bookingNotStored, type SendBy, sendBy } from './send-by.js';

/** Between attempts that certainly made no booking. */
const waits: Readonly<Backoff> = { firstMs: 1_000, longestMs: 15_000 };
const awaitAnswer = defineUpdate<AwaitedBooking>(awaitBookingUpdate);
const resolve = defineUpdate<'settled', [ResolveBookingInput]>(resolveBookingUpdate);

/**
 * One booking of a channel (`booking-{commandId}`), stored before it is sent (F30) and open until it is resolved: by the
 * platform's answer, by a callback that shows it (F31, F32), or by a person (F35).
 */
export async function booking(start: BookingStart): Promise<BookingResult> {
  const isStoredBySending = patched('bookings-are-stored-by-sending');
  // a booking that began under 0.1.0 is not stored, and ends as it did there
  if (!isStoredBySending && !patched('bookings-are-kept'))
    return sendUntilAnswered(start, { deadline: sendBy(Date.now()) });
  const onDelay = (isDelayed: boolean) => run.delay(isDelayed);
  const run = new BookingRun(start, isStoredBySending, (deadline, createdAt) =>
    sendUntilAnswered(start, { deadline, createdAt, onDelay }),
  );
  setHandler(awaitAnswer, () => CancellationScope.nonCancellable(() => run.answer()));
  setHandler(resolve, (input) => run.resolve(input), { validator: (_input) => run.check() });
  // one click on "cancel" in Temporal UI must not end it: it ends by its own rules
  return CancellationScope.nonCancellable(() => run.runToEnd());
}

/**
 * Sends the booking, and repeats it for a minute, but only where the platform certainly did not act (429, or a connection
 * that never opened). A lost answer ends as `unknown` and is never repeated. A refused key suspends the channel's role
 * (L30); the booking does not wait for it.
 */
async function sendUntilAnswered(
  start: BookingStart,
  { deadline, createdAt, onDelay = () => {} }: Sending,
): Promise<SentBooking> {
  for (let attempt = 1; ; attempt++) {
    const answer = await attemptBooking(start, { attempt, deadline, createdAt });
    onDelay(answer.outcome === 'held-back' && answer.code === bookingNotStoredCode);
    if (answer.outcome === 'rejected' && waitsFor(answer.code) === 'key') {
      await roles.suspendRole({ role: bookingRole, reservationId: null, code: answer.code });
    }
    if (answer.outcome !== 'held-back') return answer;
    // `Retry-After: 0` means no wait: the requests would follow each other without a pause
    const waitMs = answer.retryAfterMs || backoffMs(attempt, waits);
    if (deadline.isPast(Date.now() + waitMs)) return toNotSent(answer.code, createdAt);
    await sleep(waitMs, { summary: `wait after ${answer.code}` });
    if (deadline.isPastNow()) return toNotSent(answer.code, createdAt);
  }
}

interface Sending {
  deadline: SendBy;
  /** Instant of the command, where each attempt stores the booking. */
  createdAt?: number | undefined;
  onDelay?: (isDelayed: boolean) => void;
}

function toNotSent(code: string, createdAt: number | undefined): BookingEnd {
  if (code === bookingNotStoredCode && createdAt !== undefined) return bookingNotStored;
  return waitsFor(code) === 'handover'
    ? bookingNotSent
    : { outcome: 'rejected', code, message: 'the platform took no booking within a minute' };
}

function attemptBooking(
  start: BookingStart,
  { attempt, deadline, createdAt }: Sending & { attempt: number },
): Promise<SentBooking | HeldBack> {
  const leaveWithinMs = deadline.leftMs(Date.now());
  const options = {
    taskQueue: bookingQueueOf(workflowInfo().taskQueue),
    summary: `book, attempt ${attempt}`,
    scheduleToStartTimeout: Math.min(leaveWithinMs, startWithinMs),
  };
  const id = attemptId(`booking:${start.commandId}`, `${attempt}`);
  return endOf(
    () => platform.book.executeWithOptions(options, [start, { id, leaveWithinMs, createdAt }]),
    outcomeOfBooking,
  );
}
