import type { Belief } from '../belief.js';
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

/** What an event said, what became of it, and what it moved. */
export function eventText(event: ReservationEvent, verdict: Verdict, before: Belief, after: Belief): string {
  const moved = [statusMove(before, after), carMove(before, after), periodMove(before, after)];
  const changes = moved.filter((text) => text !== null).join(' ');
  return `${saying(event)}: ${verdictTexts[verdict]}.${changes === '' ? '' : ` ${changes}`}`;
}

/** L08: an event that came after its reservation was closed. @param ended the end with which it cannot be true */
export function lateEventText(event: ReservationEvent, ended: number | null): string {
  const doubt =
    ended === null
      ? 'the end stands'
      : `it cannot be true together with ${named(ended)}, which stands. Find out where the car is`;
  return `${saying(event)}: the reservation was closed before it came; ${doubt}.`;
}
/** What operations are told where it and the end cannot both be true. */
export function lateEventAlert(
  kind: AttentionKind,
  reservationId: number,
  said: number,
  ended: number,
): string {
  return `[L08] ${kind}: reservation ${reservationId}, closed at ${named(ended)}: ${named(said)} was reported after its closing; compare both callbacks in the inbox with the platform's record.`;
}
function saying({ channel, status, replay }: ReservationEvent): string {
  const again = replay === undefined ? '' : ', read again';
  return `${channelNames[channel]}${status === undefined ? '' : `, status ${named(status)}`}${again}`;
}
function statusMove(before: Belief, after: Belief): string | null {
  const to = after.status.code;
  if (to === null || before.status.code === to) return null;
  const skipped = Object.keys(after.status.reached).filter(
    (code) => after.status.reached[code] === 'inferred' && !(code in before.status.reached),
  );
  const inferred = skipped.length === 0 ? '' : ` Inferred: ${skipped.join(', ')}.`;
  return `Now at ${named(to)}.${inferred}`;
}
function carMove(before: Belief, after: Belief): string | null {
  const from = before.facts.car?.value.id;
  const to = after.facts.car?.value.id;
  if (from === undefined || from === to) return null;
  return `The car changed from ${from} to ${to}; photos of the old one no longer count.`;
}
function periodMove(before: Belief, after: Belief): string | null {
  const from = before.facts.period?.value;
  const to = after.facts.period?.value;
  if (!from || !to || (from.start === to.start && from.end === to.end)) return null;
  return 'The period changed; deadlines follow it.';
}
