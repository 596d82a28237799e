import { type Instant, stamp } from '../../shared/time.js';
import { ambiguousFacts, type Belief, missingFacts } from '../belief.js';
import type { ReservationState } from '../state.js';
import type { AttentionKind } from '../types.js';
import { dangerAlert, dangerText } from './ahead.js';
import { named } from './names.js';

/** What a text may speak of: the reservation, what is believed of it, and what the item is about. */
export interface Subject {
  state: ReservationState;
  what: Belief;
  /** Keys of the causes, such as the ids of commands. */
  keys: readonly string[];
}
type Text = (subject: Subject) => string;

/**
 * Two texts per kind: `person` tells who works with the reservation what to do; `operations` goes to the alert
 * channel and says what to look at, by ids and codes. Neither is ever shown in the other's place.
 */
const catalogue: Readonly<Record<AttentionKind, { person: Text; operations: Text }>> = {
  'terminal-contradiction': {
    person: ({ what }) =>
      `The platform reported ${pairs(what.status.contradictions)}, which cannot both be true. The end stands; call the customer and find out where the car is.`,
    operations: ({ what }) =>
      `statuses that exclude each other: ${codes(what.status.contradictions)}; compare both callbacks in the inbox with the platform's record`,
  },
  conflict: {
    person: ({ what }) =>
      `The platform reported ${pairs(what.status.conflicts)}, which no reservation can pass through. Check the platform's web site and decide.`,
    operations: ({ what }) =>
      `no legal history holds ${codes(what.status.conflicts)}; compare both callbacks in the inbox with the wire profile's from-state table`,
  },
  'unknown-status': {
    person: ({ state }) =>
      `The platform reported a status nobody knows: ${state.unknownStatuses.map(({ code }) => code).join(', ')}. Check its web site.`,
    operations: ({ keys }) =>
      `status codes outside the specification: ${few(keys)}; ask the platform whether its list has grown`,
  },
  ambiguous: {
    person: ({ what }) =>
      `Several values came for ${ambiguousFacts(what).join(', ')} and their order cannot be known. Check the platform's web site.`,
    operations: ({ keys }) =>
      `values whose order nothing tells: ${few(keys)}; a manager can assert the right one`,
  },
  'schedule-missing': {
    person: ({ what, state }) =>
      `The platform's schedule has no entry for this reservation: it believes car ${what.facts.car?.value.id ?? 'unknown'} from ${at(what.facts.period?.value.start, state)}. It may be cancelled, or moved; check the platform's web site.`,
    operations: () =>
      'no R entry of the schedule fits it, in two readings that showed others; a callback may be lost',
  },
  'schedule-differs': {
    person: ({ state }) =>
      `The platform's schedule says otherwise: ${entryText(state)}. A change may not have been told; check the platform's web site.`,
    operations: ({ state }) => `the R entry says otherwise: ${entryText(state)}; a callback may be lost`,
  },
  incomplete: {
    person: ({ what, state }) =>
      `Not known: ${missingFacts(what).join(', ')}. ${silence(state)}; look the reservation up on the platform's web site.`,
    operations: ({ what, state }) =>
      `no callback has told: ${missingFacts(what).join(', ')}${isOnlyBooked(state) ? ', though the booking was taken' : ''}; check that the platform's callbacks arrive`,
  },
  'odd-period': {
    person: () =>
      'The period ends before it starts, or starts before it was booked. Check it with the customer.',
    operations: ({ what, state }) =>
      `a period that cannot be: ${at(what.facts.period?.value.start, state)} to ${at(what.facts.period?.value.end, state)}`,
  },
  'spec-violation': {
    person: () => "The platform sent a registration with a status other than 5. Tell the platform's support.",
    operations: () => 'a registration came with a status other than 5; report it to the platform',
  },
  'dispatch-not-started': {
    person: ({ what, state }) =>
      `Dispatch has not started; the rental starts at ${at(what.facts.period?.value.start, state)}. Send somebody with the car.`,
    operations: ({ what, state }) =>
      `still at 5 shortly before the start ${at(what.facts.period?.value.start, state)}; check staffing`,
  },
  'handover-late': {
    person: ({ what, state }) =>
      `The rental started at ${at(what.facts.period?.value.start, state)} and the car is not handed over. Call the driver on the way and the customer.`,
    operations: ({ what, state }) =>
      `15 not reached by the start ${at(what.facts.period?.value.start, state)}; check staffing and callbacks`,
  },
  'callback-overdue': {
    person: ({ what, state }) =>
      `The rental ended at ${at(what.facts.period?.value.end, state)} without a sign of use, yet no no-show cancellation came. Check the platform's web site and where the car is.`,
    operations: ({ what, state }) =>
      `no callback 45 after the end ${at(what.facts.period?.value.end, state)}; a callback 20 may be lost: check the platform's callback log`,
  },
  'return-late': {
    person: ({ what, state }) => lateText(what, state),
    operations: ({ what, state }) =>
      `no callback 30 after the end ${at(what.facts.period?.value.end, state)}; the car is late, or a callback is lost`,
  },
  'next-in-danger': {
    person: ({ what, state }) => dangerText(what, state),
    operations: ({ what, state }) => dangerAlert(what, state),
  },
  'recall-overdue': {
    person: () =>
      'The car was returned long ago and its recall is not complete. Send somebody to check the car.',
    operations: () => 'returned at 30 and 35 not reached in time; check staffing',
  },
  'not-announced': {
    person: () =>
      'The platform accepted an action, yet sent no callback about it. Check the callback address and the web site.',
    operations: ({ keys }) =>
      `accepted commands without a callback: ${few(keys)}; check the callback address at the platform`,
  },
  'command-unknown': {
    person: () =>
      'Nobody knows whether an action reached the platform. Look on its web site and settle the command as applied or rejected.',
    operations: ({ keys }) =>
      `commands of unknown outcome: ${few(keys)}; compare with the platform and settle them`,
  },
  'note-not-kept': {
    person: () =>
      "What was noted at the recall may not stand among the car's memos. Look there, write it by hand if it is missing, then resolve this item.",
    operations: ({ state, keys }) =>
      `notes of these recalls are no memos for certain: ${few(keys)} (${(state.notes ?? []).map(({ code }) => code ?? '-').join(', ')}); look at the memos of the car`,
  },
  'retrieve-car': {
    person: ({ keys }) =>
      keys.includes('40')
        ? 'The reservation was cancelled with the car under way or handed over. Bring the car back, then resolve this item.'
        : 'The reservation was cancelled, and nobody knows whether the car is under way. Ask the driver, bring the car back, then resolve this item.',
    operations: ({ what, keys }) =>
      keys.includes('40')
        ? `cancelled after 10 was reached; car ${what.facts.car?.value.id ?? 'unknown'} has to be fetched`
        : `cancelled while the outcome of ${few(keys)} is unknown; car ${what.facts.car?.value.id ?? 'unknown'} may have to be fetched`,
  },
};

/** L05, F36: the platform took our booking and has said nothing of it since. */
function isOnlyBooked({ booking, arrivals }: ReservationState): boolean {
  return booking !== undefined && arrivals === 0;
}
function silence(state: ReservationState): string {
  return isOnlyBooked(state)
    ? 'The platform took our booking, yet no registration came'
    : 'No registration or update has told';
}

/** The texts of one attention item, written from what is believed now. */
export function attentionTexts(
  kind: AttentionKind,
  rule: string,
  subject: Subject,
): { person: string; operations: string } {
  const { person, operations } = catalogue[kind];
  const { code } = subject.what.status;
  const status = code === null ? 'without a known status' : `at ${named(code)}`;
  const alert = `[${rule}] ${kind}: reservation ${subject.state.reservationId} ${status}: ${operations(subject)}.`;
  return { person: person(subject), operations: alert };
}
/** The line of an item that is raised, or raised again. */
export function raisedText(kind: AttentionKind, since: string, again: boolean, person: string): string {
  return `${again ? 'Still needs' : 'Needs'} attention: ${kind}, since ${since}. ${person}`;
}
export function clearedText(kind: AttentionKind): string {
  return `No longer needs attention: ${kind}.`;
}
export function resolvedText(kind: AttentionKind, by: string): string {
  return `${by} resolved: ${kind}.`;
}
export function leftOpenText(kind: AttentionKind): string {
  return `Closed with it open: ${kind}; the case file keeps it.`;
}
/** What operations are told when an item is over: its cause went, a person settled it, or nothing can follow. */
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

const keysTold = 8;
function few(keys: readonly string[]): string {
  const more = keys.length - keysTold;
  return `${keys.slice(0, keysTold).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
function pairs(list: [number, number][]): string {
  return list.map(([a, b]) => `${named(a)} and ${named(b)}`).join('; ');
}
function codes(list: [number, number][]): string {
  return list.map(([a, b]) => `${a} and ${b}`).join('; ');
}
function at(instant: Instant | undefined, state: ReservationState): string {
  return instant === undefined ? 'an unknown time' : stamp(instant, state.policy.zoneOffsetMinutes);
}
function entryText(state: ReservationState): string {
  const entry = state.scheduled?.entry;
  if (!entry) return 'nothing';
  return `car ${entry.carId}, ${at(entry.start, state)} to ${at(entry.end, state)} (schedule ${entry.scheduleId})`;
}
/** Without the minutes: a text is read long after it was written. */
function lateText({ facts }: Belief, state: ReservationState): string {
  const end = facts.period?.value.end;
  if (end === undefined) return 'The platform says that the car is late. Call the customer.';
  return `The car was due back at ${at(end, state)}. Call the customer.`;
}
