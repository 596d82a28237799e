import type { Driver, ReservationEvent } from '../reservation/types.js';
import type { BookingCandidate, BookingRequest, BookingState, Sighting } from './types.js';

/** A callback that carries a whole reservation, as far as a booking is recognised by it. */
export type Announcement = Pick<ReservationEvent, 'productId' | 'period' | 'driver' | 'car'> & {
  reservationId: number;
};

/** A profile may drop the milliseconds of a period. */
const toleranceMs = 1_000;

/**
 * The reservations that a booking may have become: those announced with its product, period and driver (F31). Which of
 * the platform's cars it is plays no part.
 */
export function candidatesAmong(
  request: BookingRequest,
  announcements: readonly Announcement[],
): BookingCandidate[] {
  return mergeCandidates(announcements.flatMap((one) => candidateOf(one, request)));
}

function candidateOf(
  { reservationId, productId, period, car, driver }: Announcement,
  request: BookingRequest,
): BookingCandidate[] {
  if (period === undefined || driver === undefined) return [];
  const [startAt, endAt] = [period.start, period.end];
  const isOfProduct = productId === undefined || productId === request.productId;
  if (!isOfProduct || !isSamePeriod(request, { startAt, endAt }) || !isSameDriver(request.driver, driver))
    return [];
  const productFits = productId !== undefined && comparedFields.every((name) => driver[name] !== null);
  return [{ reservationId, productFits, carNumber: car?.number ?? null, startAt, endAt }];
}

/** One per reservation, in the order of their ids; what names the product says more than what does not. */
export function mergeCandidates(candidates: readonly BookingCandidate[]): BookingCandidate[] {
  const byId = new Map<number, BookingCandidate>();
  for (const one of candidates) {
    const known = byId.get(one.reservationId);
    if (known === undefined || (one.productFits && !known.productFits)) byId.set(one.reservationId, one);
  }
  return [...byId.values()].sort((a, b) => a.reservationId - b.reservationId);
}

/** Whether only its answer distinguishes one booking from another (F33). */
export function isAlike(a: BookingRequest, b: BookingRequest): boolean {
  return a.productId === b.productId && isSamePeriod(a, b) && isSameDriver(a.driver, b.driver);
}

type Period = Pick<BookingRequest, 'startAt' | 'endAt'>;
function isSamePeriod(a: Period, b: Period): boolean {
  return Math.abs(a.startAt - b.startAt) < toleranceMs && Math.abs(a.endAt - b.endAt) < toleranceMs;
}

/**
 * A platform may write what it was sent in its own way: spaces, hyphens, letters composed otherwise. What cannot be read
 * contradicts nothing, and proves nothing either: a person decides then (`productFits`).
 */
function isSameDriver(a: Driver, b: Driver): boolean {
  return comparedFields.every((name) => {
    const [one, other] = [a[name], b[name]];
    return one === null || other === null || written[name](one) === written[name](other);
  });
}
const comparedFields = ['name', 'birth', 'phone', 'licenseNumber'] as const;
const words = (text: string) => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toUpperCase();
const digits = (text: string) => text.normalize('NFKC').replace(/\D/g, '');
const signs = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();

const written = { name: words, birth: digits, phone: digits, licenseNumber: signs } as const;

/**
 * What a booking's candidates come to (F32, F33). While another booking that is alike is still on its way, its answer
 * may decide: nothing is resolved yet.
 * @param alike states of the other open bookings that are alike
 */
export function judge(
  candidates: readonly BookingCandidate[],
  alike: readonly BookingState[],
): Pick<Sighting, 'kind' | 'candidate'> {
  const [candidate, ...others] = candidates;
  if (candidate === undefined || alike.includes('out')) return { kind: 'none' };
  const isOnly = others.length === 0 && alike.length === 0 && candidate.productFits;
  return isOnly ? { kind: 'one', candidate } : { kind: 'several' };
}
