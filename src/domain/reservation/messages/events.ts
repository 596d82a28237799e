import type { AttentionKind, Judged, ReservationEvent } from '../types.js';
import { named } from './names.js';

const channelNames: Readonly<Record<ReservationEvent['channel'], string>> = {
  registration: 'Registration',
  update: 'Update',
  car: 'Car change',
  status: 'Status webhook',
};
const verdictTexts: Readonly<Record<Judged, string>> = {
  applied: 'applied',
  duplicate: 'already known, nothing changes',
  stale: 'older than what is known, so it only fills gaps',
  'after-terminal': 'the reservation has ended, and its end stands',
  conflict: 'it contradicts earlier reports',
  'unknown-status': 'the status is unknown, and the last known one stays',
};

/** What an event reported, and its verdict. */
export function eventText(event: ReservationEvent, verdict: Judged): string {
  return `${saying(event)}: ${verdictTexts[verdict]}.`;
}

/** L08: an event that came after its reservation was closed. @param ended the end with which it cannot be true */
export function lateEventText(event: ReservationEvent, ended: number | null): string {
  const doubt =
    ended === null
      ? 'the end stands'
      : `it contradicts ${named(ended)}, which stands. Find out where the car is`;
  return `${saying(event)}: the reservation was closed before it came; ${doubt}.`;
}
/** The alert where it and the end cannot both be true. */
export function lateEventAlert(
  kind: AttentionKind,
  reservationId: number,
  reported: number,
  ended: number,
): string {
  return `[L08] ${kind}: reservation ${reservationId}, closed at ${named(ended)}: ${named(reported)} was reported after its closing; compare both callbacks in the inbox with the platform's record.`;
}
export const closedText =
  'The reservation is closed: the time for late events is over, and nothing is left to do.';

function saying({ channel, status, replay }: ReservationEvent): string {
  const again = replay === undefined ? '' : ', replayed';
  return `${channelNames[channel]}${status === undefined ? '' : `, status ${named(status)}`}${again}`;
}
