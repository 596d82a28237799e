import { patched } from '@temporalio/workflow';
import {
  type BookingEnd,
  type BookingRefusal,
  type BookingResolved,
  notMadeCode,
  type ResolveBookingInput,
} from '../../src/contract/booking.js';
import type { BookingRequest } from '../../src/domain/booking/types.js';
import { refuse } from '../shared/refuse.js';

/** `waits`: the resolution takes effect once the database answers. */
type Answer = BookingResolved | { kind: 'waits' };

export interface ResolutionRequest {
  input: ResolveBookingInput;
  answer(answer: Answer): void;
}

/** Resolutions of one booking by persons (F35), in their order, and the updates that wait for them. */
export class ResolutionRequests {
  private queue: ResolutionRequest[] = [];
  /** Requests whose update is not answered yet, whether or not they are still in the queue. */
  private readonly unanswered = new Set<ResolutionRequest>();

  get areWaiting(): boolean {
    return this.queue.length > 0;
  }

  /** Resolves once the booking is settled by this request. @throws a refusal, also where the database gives no answer */
  async waitForResult(input: ResolveBookingInput, onRequest: () => void): Promise<'settled'> {
    const result = await new Promise<Answer>((resolve) => {
      const request: ResolutionRequest = {
        input,
        answer: (answer) => {
          this.unanswered.delete(request);
          resolve(answer);
        },
      };
      this.queue.push(request);
      this.unanswered.add(request);
      onRequest();
    });
    if (result.kind === 'claimed') refuse(claimedBy(result.commandId));
    if (result.kind === 'waits') refuse(waitsForDatabase);
    if (result.kind !== 'settled') refuse(resolvedBefore);
    return 'settled';
  }

  drain(): ResolutionRequest[] {
    return this.queue.splice(0);
  }

  putBack(requests: ResolutionRequest[]): void {
    this.queue.unshift(...requests);
  }

  /** Refuses all requests: the booking is settled otherwise. */
  refuseAll(): void {
    for (const { answer } of this.drain()) answer({ kind: 'other' });
  }

  /** Answers all updates while the database gives no answer; their requests take effect later. */
  delay(): void {
    if (this.unanswered.size === 0 || !patched('resolutions-do-not-wait')) return;
    for (const { answer } of this.unanswered) answer({ kind: 'waits' });
  }
}

/** The end of a booking by a person's decision (F35). */
export function endByPerson(
  { outcome, reservationId }: ResolveBookingInput,
  request: BookingRequest,
): BookingEnd {
  if (outcome === 'applied' && reservationId !== undefined) {
    const { startAt: pickupAt, endAt: returnAt } = request;
    return toApplied({ reservationId, carNumber: null, pickupAt, returnAt }, 'person');
  }
  const message = 'a person found that the platform has no such reservation';
  return { outcome: 'rejected', code: notMadeCode, message, settledBy: 'person' };
}

type Known = Omit<Extract<BookingEnd, { outcome: 'applied' }>, 'outcome' | 'status' | 'settledBy'>;
/** The end of a booking whose answer was lost. */
export function toApplied(known: Known, settledBy: 'callback' | 'person'): BookingEnd {
  return { outcome: 'applied', status: null, ...known, settledBy };
}

export const stillSending: Readonly<BookingRefusal> = {
  code: 'BOOKING_ON_ITS_WAY',
  message: 'The booking is still on its way to the platform; its answer may come within a minute.',
};
export const resolvedBefore: Readonly<BookingRefusal> = {
  code: 'BOOKING_SETTLED',
  message: 'What became of the booking is already known.',
};
export const databaseAway: Readonly<BookingRefusal> = {
  code: 'STORE_UNAVAILABLE',
  message: 'The database gives no answer, and nothing was recorded. Send the resolution again in a moment.',
};
const waitsForDatabase: Readonly<BookingRefusal> = {
  code: 'STORE_UNAVAILABLE',
  message:
    'The database gives no answer. The resolution is recorded and takes effect once it does: read the booking in a moment.',
};
function claimedBy(commandId: string): BookingRefusal {
  return {
    code: 'RESERVATION_CLAIMED',
    message: `The reservation is that of another booking (${commandId}).`,
  };
}
