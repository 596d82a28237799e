import type { Instant } from '../shared/time.js';
import { reconcile, recordPeriodEnd } from './attention.js';
import { belief } from './belief.js';
import { cut } from './bounds.js';
import { claim, type Fact } from './facts.js';
import { message } from './messages/message.js';
import { movedEntry } from './moved-entry.js';
import type { ReservationState } from './state.js';
import { witness } from './status-evidence.js';
import { bookingRung } from './statuses.js';
import { addEntry, follow, type NewEntry, type Step, stepTo } from './timeline.js';
import type { Booking } from './types.js';

const statusLetters = 100;
const carNumberLetters = 40;

/**
 * A booking of ours became this reservation (F36): the requested values are believed as far as no report states more, for the
 * registration precedes it where both speak, whichever came first. A second booking of the same reservation, or the
 * same once more, changes nothing.
 */
export function applyBooking(state: ReservationState, booking: Booking, now: Instant): Step {
  if (state.booking !== undefined) return stepTo(state);
  const before = belief(state);
  const ended = recordPeriodEnd(state, now, before);
  const next = storeBooking(joinFacts(joinStatus(ended.state, booking), booking), booking);
  const after = belief(next);
  const { commandId, settledBy } = booking;
  const { status, carNumber } = next.booking ?? booking;
  const entry: NewEntry = {
    kind: 'command',
    rule: 'F36',
    messages: [message('booked', { by: booking.by, settledBy, status })],
    data: { commandId, settledBy, answered: status, carNumber },
  };
  const recorded = addEntry({ ...ended, state: next }, now, movedEntry(entry, next, before, after, now));
  return follow(recorded, (s) => reconcile(s, now, after));
}

/** F37: the platform's string stays what it is; it is no status code. */
function storeBooking(
  state: ReservationState,
  { commandId, at, settledBy, status, carNumber }: Booking,
): ReservationState {
  const stored = {
    commandId,
    at,
    settledBy,
    status: status === null ? null : cut(status, statusLetters),
    carNumber: carNumber === null ? null : cut(carNumber, carNumberLetters),
  };
  return { ...state, booking: stored };
}

function joinStatus(state: ReservationState, { commandId, by, at, settledBy }: Booking): ReservationState {
  const [grade, source] =
    settledBy === 'person' ? (['asserted', by] as const) : (['commanded', commandId] as const);
  return witness(state, 5, grade, { source, at, changedAt: null });
}

function joinFacts(state: ReservationState, booking: Booking): ReservationState {
  const { period, productId, driver, companion, pickupAddress, pickupMemo } = booking;
  const made = {
    grade: 'commanded' as const,
    source: booking.commandId,
    at: booking.at,
    changedAt: null,
    arrival: state.arrivals,
  };
  const facts: Record<string, Fact<unknown> | null> = { ...state.facts };
  const requested = { period, productId, driver, companion, pickupAddress, pickupMemo };
  for (const [name, value] of Object.entries(requested)) {
    if (value !== undefined) facts[name] = claim(facts[name] ?? null, bookingRung, { ...made, value });
  }
  return { ...state, facts: facts as unknown as ReservationState['facts'] };
}
