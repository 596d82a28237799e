import type { AttentionKind, ReservationEvent, Verdict } from '../types.js';
import { named } from './names.js';

const channelNames: Readonly<Record<ReservationEvent['channel'], string>> = {
  registration: 'Registration',
  update: 'Update',
  car: 'Car change',
  status: 'Status webhook',
};
const verdictTexts: Readonly<Record<Verdict, string>> = {
  applied: 'taken in',
  duplicate: 'known already, nothing changes',
  stale: 'older than what is known; it only fills gaps',
  'after-terminal': 'the reservation has ended; the end stands',
  conflict: 'it does not fit what was reported before',
  'unknown-status': 'a status nobody knows; the last known one stays',
  invalid: 'it cannot be read',
};

/** What an event said, and what became of it. */
export function eventText(event: ReservationEvent, verdict: Verdict): string {
  return `${saying(event)}: ${verdictTexts[verdict]}.`;
}

/** L08: an event that came after its reservation was closed. @param ended the end with which it cannot be true */
export function lateEventText(event: ReservationEvent, ended: number | null): string {
  const doubt =
    ended === null
      ? 'the end stands'
      : `it cannot be true together with ${named(ended)}, which stands. Find out where the car is`;
  return `${saying(event)}: the reservation was closed before it came; ${doubt}.`;
}
/** The alert where it and the end cannot both be true. */
export function lateEventAlert(
  kind: AttentionKind,
  reservationId: number,
  said: number,
  ended: number,
): string {
  return `[L08] ${kind}: reservation ${reservationId}, closed at ${named(ended)}: ${named(said)} was reported after its closing; compare both callbacks in the inbox with the platform's record.`;
}
export const closedText =
  'The time for late events is over and nothing is left to do: the reservation is closed.';

function saying({ channel, status, replay }: ReservationEvent): string {
  const again = replay === undefined ? '' : ', read again';
  return `${channelNames[channel]}${status === undefined ? '' : `, status ${named(status)}`}${again}`;
}
