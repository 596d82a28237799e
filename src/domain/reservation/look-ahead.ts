import { type Backoff, backoffMs } from '../shared/backoff.js';
import { hour, type Instant, minute, type Period } from '../shared/time.js';
import { reconcile } from './attention.js';
import { type Belief, belief, isSame } from './belief.js';
import type { LookAhead, Seen } from './look-ahead-record.js';
import { message } from './messages/message.js';
import { type Exposure, exposureOf } from './next-at-risk.js';
import type { ReservationState } from './state.js';
import { addEntry, follow, type NewEntry, type Step, stepTo } from './timeline.js';
import type { CarEntry } from './types.js';

const whileAtRiskMs = hour;
const otherwiseMs = 6 * hour;
const rests: Readonly<Backoff> = { firstMs: 5 * minute, longestMs: hour };

/** What comes after a reservation is to be looked up on the platform. */
export interface LookAheadRequest {
  reservationId: number;
  at: Instant;
  /** Names what it is for; its answer is applied under this name. */
  asked: string;
  carId: number;
  carNumber: string | null;
  /** The product whose other cars are searched; null: not known. */
  productId: number | null;
  /** The reservation's own. */
  period: Period;
  zoneOffsetMinutes: number;
}

/** What the platform's schedules showed, or why they could not be read. */
export type LookAheadAnswer =
  | ({ kind: 'seen' } & Pick<Seen, 'next' | 'candidates'>)
  | { kind: 'failed'; code: string; retryAfterMs?: number };

/** The reading that is due, if any (F60). */
export function dueLookAhead(state: ReservationState, what: Belief): LookAheadRequest | null {
  const exposure = exposureOf(state, what);
  if (exposure === null) return null;
  const last = state.lookedAhead;
  const purpose = purposeOf(exposure);
  if (last !== undefined && !isDue(last, purpose, state.lookedAt)) return null;
  const { car, start, end } = exposure;
  const { reservationId, policy } = state;
  return {
    reservationId,
    at: state.lookedAt,
    asked: purpose,
    carId: car.id,
    carNumber: car.number,
    productId: what.facts.productId?.value ?? null,
    period: { start, end },
    zoneOffsetMinutes: policy.zoneOffsetMinutes,
  };
}

/** After a failed reading, no cause triggers another one before the retry time. */
function isDue({ asked, again, failures }: LookAhead, purpose: string, now: Instant): boolean {
  const isTime = again !== null && again <= now;
  return failures > 0 ? isTime : isTime || asked !== purpose;
}

/** When the next reading falls due in the present state. */
export function nextLookAheadAt(state: ReservationState, what: Belief): Instant[] {
  const again = state.lookedAhead?.again ?? null;
  return again === null || exposureOf(state, what) === null ? [] : [again];
}

function purposeOf({ car, start, end, steps }: Exposure): string {
  return [car.id, start, end, steps].join('/');
}

/** Applies the result of a reading; a reading that was not answered is repeated later (F64). */
export function applyLookAhead(
  state: ReservationState,
  { asked, carId }: Pick<LookAheadRequest, 'asked' | 'carId'>,
  answer: LookAheadAnswer,
  now: Instant,
): Step {
  const before = state.lookedAhead;
  if (answer.kind === 'failed') {
    const failures = (before?.failures ?? 0) + 1;
    const rest = backoffMs(failures, rests);
    const again = now + Math.max(answer.retryAfterMs ?? rest, rest);
    const failed = { ...state, lookedAhead: { asked, seen: before?.seen ?? null, failures, again } };
    return failures > 1 ? stepTo(failed) : addEntry(stepTo(failed), now, failedEntry(carId, answer.code));
  }
  const { next, candidates } = answer;
  const seen: Seen = { at: now, carId, next, candidates };
  const known: ReservationState = { ...state, lookedAhead: { asked, seen, failures: 0, again: null } };
  const planned = {
    ...known,
    lookedAhead: { ...(known.lookedAhead as LookAhead), again: planOf(known, now) },
  };
  const isNews = before?.seen?.carId !== carId || !isSame(identityOf(before.seen.next), identityOf(next));
  const recorded = isNews ? addEntry(stepTo(planned), now, seenEntry(seen)) : stepTo(planned);
  return follow(recorded, (s) => reconcile(s, now));
}

/** Without its reservation, which may be known at one reading and not at another. */
function identityOf(entry: CarEntry | null): Partial<CarEntry> {
  const { reservationId: _, ...identity } = entry ?? {};
  return identity;
}

/** While the return is late: more often where an entry waits for the car, and when it begins. */
function planOf(state: ReservationState, now: Instant): Instant | null {
  const exposure = exposureOf(state, belief(state));
  const next = state.lookedAhead?.seen?.next ?? null;
  if (exposure === null) return null;
  const runsOver = next !== null && next.start < exposure.end;
  if (!exposure.isLate && !runsOver) return null;
  const rest = now + (next === null ? otherwiseMs : whileAtRiskMs);
  return next !== null && next.start > now ? Math.min(next.start, rest) : rest;
}

function failedEntry(carId: number, code: string): NewEntry {
  const messages = [message('ahead.failed', { carId, code })];
  return { kind: 'decision', rule: 'F64', messages, data: { carId, code } };
}

function seenEntry({ carId, next }: Seen): NewEntry {
  const data = next === null ? { carId } : { carId, scheduleId: next.scheduleId, type: next.type };
  return { kind: 'decision', rule: 'F60', messages: [message('ahead.seen', { carId, next })], data };
}
