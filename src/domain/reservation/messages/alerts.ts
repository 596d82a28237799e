import { type Instant, stamp } from '../../shared/time.js';
import { isOnlyBooked, type Subject } from '../attention-messages.js';
import { missingFacts } from '../belief.js';
import { nextAtRisk } from '../next-at-risk.js';
import type { ReservationState } from '../state.js';
import type { AttentionKind } from '../types.js';
import { entryText, timeLeft } from './en/ahead.js';
import { at, scheduleText } from './en/attention.js';
import { named } from './en/names.js';

/**
 * What goes to the alert channel: what to look at, by ids and codes, in English whatever the language of staff. It is never shown to
 * the staff of the reservation, nor is the sentence for them sent to operations.
 */
const operations: Readonly<Record<AttentionKind, (subject: Subject) => string>> = {
  'terminal-contradiction': ({ what }) =>
    `statuses that contradict the end: ${codes(what.status.contradictions)}; compare both callbacks in the inbox with the platform's record`,
  conflict: ({ what }) =>
    `no legal sequence of statuses has both ${codes(what.status.conflicts)}; compare both callbacks in the inbox with the wire profile's from-state table`,
  'unknown-status': ({ keys }) =>
    `status codes outside the specification: ${few(keys)}; ask the platform whether its list has changed`,
  ambiguous: ({ keys }) => `values of unknown order: ${few(keys)}; a manager can assert the right one`,
  'schedule-missing': () =>
    'two reads of the schedule showed other R entries and none for this reservation; a callback may be lost',
  'schedule-differs': ({ state }) =>
    `the R entry differs: ${scheduleText(state.scheduled?.entry ?? null, timeIn(state))}; a callback may be lost`,
  incomplete: ({ what, state }) =>
    `no callback reported: ${missingFacts(what).join(', ')}${isOnlyBooked(state) ? ', although the platform accepted the booking' : ''}; check that the platform's callbacks arrive`,
  'odd-period': (subject) => `an impossible period: ${start(subject)} to ${end(subject)}`,
  'spec-violation': () => 'the status of a registration is not 5; report it to the platform',
  'dispatch-not-started': (subject) =>
    `still at 5 shortly before the start ${start(subject)}; check staffing`,
  'handover-late': (subject) => `15 not reached by the start ${start(subject)}; check staffing and callbacks`,
  'callback-overdue': (subject) =>
    `no callback 45 after the end ${end(subject)}; a callback 20 may be lost: check the platform's callback log`,
  'return-late': (subject) =>
    `no callback 30 after the end ${end(subject)}; the car is late, or a callback is lost`,
  'next-in-danger': nextAtRiskAlert,
  'recall-overdue': () => 'returned at 30 and 35 not reached in time; check staffing',
  'not-announced': ({ keys }) =>
    `accepted commands without a callback: ${few(keys)}; check the callback address at the platform`,
  'command-unknown': ({ keys }) =>
    `commands of unknown outcome: ${few(keys)}; compare with the platform and resolve them`,
  'note-not-kept': ({ state, keys }) =>
    `notes of these recalls may not be memos: ${few(keys)} (${(state.notes ?? []).map(({ code }) => code ?? '-').join(', ')}); check the memos of the car`,
  'retrieve-car': ({ what, keys }) => {
    const car = what.facts.car?.value.id ?? 'unknown';
    return keys.includes('40')
      ? `cancelled after 10 was reached; car ${car} must be retrieved`
      : `cancelled while the outcome of ${few(keys)} is unknown; car ${car} may have to be retrieved`;
  },
};

/** The alert of an item that is raised, or raised again. */
export function raisedAlert(kind: AttentionKind, rule: string, subject: Subject): string {
  const { code } = subject.what.status;
  const status = code === null ? 'without a known status' : `at ${named(code)}`;
  return `[${rule}] ${kind}: reservation ${subject.state.reservationId} ${status}: ${operations[kind](subject)}.`;
}

/** What operations receive when an item is over: its cause went, a person resolved it, or nothing can follow. */
export function clearedAlert(
  kind: AttentionKind,
  rule: string,
  reservationId: number,
  by: { person: string } | 'cause' | 'closing',
): string {
  const how =
    by === 'cause'
      ? 'its cause is gone'
      : by === 'closing'
        ? 'the reservation was closed with it open'
        : `${by.person} resolved it`;
  return `[${rule}] ${kind}: reservation ${reservationId}: over, ${how}.`;
}

/** L08: an event that came after its reservation was closed, where it and the end cannot both be true. */
export function lateEventAlert(
  kind: AttentionKind,
  reservationId: number,
  reported: number,
  ended: number,
): string {
  return `[L08] ${kind}: reservation ${reservationId}, closed at ${named(ended)}: ${named(reported)} was reported after its closing; compare both callbacks in the inbox with the platform's record.`;
}

function nextAtRiskAlert({ what, state }: Subject): string {
  const atRisk = nextAtRisk(state, what);
  if (atRisk === null) return 'the next entry of its car is at risk';
  const { next, candidates, at: seenAt } = atRisk;
  const time = timeIn(state);
  const cars = candidates?.map(({ id }) => id).join(', ');
  return `car ${atRisk.carId} ${atRisk.isLate ? 'is not back for' : 'was extended over'} ${entryText(next, time)}; ${timeLeft(next.start, seenAt, time)}; candidate cars: ${cars === undefined ? 'not known' : cars || 'none'}`;
}

const mostKeys = 8;
function few(keys: readonly string[]): string {
  const more = keys.length - mostKeys;
  return `${keys.slice(0, mostKeys).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
function codes(list: [number, number][]): string {
  return list.map(([a, b]) => `${a} and ${b}`).join('; ');
}
function timeIn({ policy }: ReservationState): (instant: Instant) => string {
  return (instant) => stamp(instant, policy.zoneOffsetMinutes);
}
function start({ what, state }: Subject): string {
  return at(what.facts.period?.value.start ?? null, timeIn(state));
}
function end({ what, state }: Subject): string {
  return at(what.facts.period?.value.end ?? null, timeIn(state));
}
