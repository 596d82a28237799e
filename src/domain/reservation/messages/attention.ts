import { type Instant, stamp } from '../../shared/time.js';
import { ambiguousFacts, type Belief, missingFacts } from '../belief.js';
import type { ReservationState } from '../state.js';
import type { AttentionKind } from '../types.js';
import { nextAtRiskAlert, nextAtRiskText } from './ahead.js';
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
 * Two texts per kind: `person` instructs who works with the reservation; `operations` goes to the alert
 * channel and says what to look at, by ids and codes. Neither is ever shown in the other's place.
 */
const catalogue: Readonly<Record<AttentionKind, { person: Text; operations: Text }>> = {
  'terminal-contradiction': {
    person: ({ what }) =>
      `The reported end contradicts another status: ${pairs(what.status.contradictions)}. The recorded end stands; call the customer and find out where the car is.`,
    operations: ({ what }) =>
      `statuses that contradict the end: ${codes(what.status.contradictions)}; compare both callbacks in the inbox with the platform's record`,
  },
  conflict: {
    person: ({ what }) =>
      `The reported statuses contradict each other: no reservation reaches both ${pairs(what.status.conflicts)}. Check the platform's web site; a manager can assert the right status.`,
    operations: ({ what }) =>
      `no legal sequence of statuses has both ${codes(what.status.conflicts)}; compare both callbacks in the inbox with the wire profile's from-state table`,
  },
  'unknown-status': {
    person: ({ state }) =>
      `The reported status is unknown: ${state.unknownStatuses.map(({ code }) => code).join(', ')}. Check the reservation on the platform's web site.`,
    operations: ({ keys }) =>
      `status codes outside the specification: ${few(keys)}; ask the platform whether its list has changed`,
  },
  ambiguous: {
    person: ({ what }) =>
      `Conflicting values were reported: which ${ambiguousFacts(what).join(', ')} is the newest is unknown. Check the platform's web site; a manager can assert the right value.`,
    operations: ({ keys }) => `values of unknown order: ${few(keys)}; a manager can assert the right one`,
  },
  'schedule-missing': {
    person: ({ what, state }) =>
      `The schedule lacks this reservation (car ${what.facts.car?.value.id ?? 'unknown'} from ${at(what.facts.period?.value.start, state)}). It may be cancelled or moved: check the platform's web site.`,
    operations: () =>
      'two reads of the schedule showed other R entries and none for this reservation; a callback may be lost',
  },
  'schedule-differs': {
    person: ({ state }) =>
      `The platform's schedule differs: it has ${entryText(state)}. A callback about a change may be lost; check the platform's web site.`,
    operations: ({ state }) => `the R entry differs: ${entryText(state)}; a callback may be lost`,
  },
  incomplete: {
    person: ({ what, state }) =>
      `Facts are missing: ${missingFacts(what).join(', ')}. ${silence(state)}; find the reservation on the platform's web site.`,
    operations: ({ what, state }) =>
      `no callback reported: ${missingFacts(what).join(', ')}${isOnlyBooked(state) ? ', although the platform accepted the booking' : ''}; check that the platform's callbacks arrive`,
  },
  'odd-period': {
    person: () =>
      'The rental period is impossible: it ends before it starts, or starts before it was booked. Check it with the customer.',
    operations: ({ what, state }) =>
      `an impossible period: ${at(what.facts.period?.value.start, state)} to ${at(what.facts.period?.value.end, state)}`,
  },
  'spec-violation': {
    person: () => "The registration's status is wrong: it is not 5. Report it to the platform's support.",
    operations: () => 'the status of a registration is not 5; report it to the platform',
  },
  'dispatch-not-started': {
    person: ({ what, state }) =>
      `Dispatch has not started, and the rental starts at ${at(what.facts.period?.value.start, state)}. Send a driver with the car.`,
    operations: ({ what, state }) =>
      `still at 5 shortly before the start ${at(what.facts.period?.value.start, state)}; check staffing`,
  },
  'handover-late': {
    person: ({ what, state }) =>
      `The handover is late: the rental started at ${at(what.facts.period?.value.start, state)}. Call the driver on the way and the customer.`,
    operations: ({ what, state }) =>
      `15 not reached by the start ${at(what.facts.period?.value.start, state)}; check staffing and callbacks`,
  },
  'callback-overdue': {
    person: ({ what, state }) =>
      `No use was reported before the end of the rental at ${at(what.facts.period?.value.end, state)}, and no no-show cancellation came. Check the platform's web site, and find out where the car is.`,
    operations: ({ what, state }) =>
      `no callback 45 after the end ${at(what.facts.period?.value.end, state)}; a callback 20 may be lost: check the platform's callback log`,
  },
  'return-late': {
    person: ({ what, state }) => lateText(what, state),
    operations: ({ what, state }) =>
      `no callback 30 after the end ${at(what.facts.period?.value.end, state)}; the car is late, or a callback is lost`,
  },
  'next-in-danger': {
    person: ({ what, state }) => nextAtRiskText(what, state),
    operations: ({ what, state }) => nextAtRiskAlert(what, state),
  },
  'recall-overdue': {
    person: () =>
      'The recall is not complete, and the car was returned long ago. Send a driver to check the car.',
    operations: () => 'returned at 30 and 35 not reached in time; check staffing',
  },
  'not-announced': {
    person: () =>
      "An accepted action has no callback. Check the reservation on the platform's web site, and the callback address there.",
    operations: ({ keys }) =>
      `accepted commands without a callback: ${few(keys)}; check the callback address at the platform`,
  },
  'command-unknown': {
    person: () =>
      "An action's outcome is unknown: it may have reached the platform. Check the platform's web site and resolve the command as applied or rejected.",
    operations: ({ keys }) =>
      `commands of unknown outcome: ${few(keys)}; compare with the platform and resolve them`,
  },
  'note-not-kept': {
    person: () =>
      "The recall's note may be missing. Check the car's memos, write the note by hand if it is not there, then resolve this item.",
    operations: ({ state, keys }) =>
      `notes of these recalls may not be memos: ${few(keys)} (${(state.notes ?? []).map(({ code }) => code ?? '-').join(', ')}); check the memos of the car`,
  },
  'retrieve-car': {
    person: ({ keys }) =>
      keys.includes('40')
        ? 'The car must be retrieved: the reservation was cancelled with the car on its way or handed over. Bring the car back, then resolve this item.'
        : 'The car may be on its way although the reservation was cancelled. Ask the driver, bring the car back, then resolve this item.',
    operations: ({ what, keys }) =>
      keys.includes('40')
        ? `cancelled after 10 was reached; car ${what.facts.car?.value.id ?? 'unknown'} must be retrieved`
        : `cancelled while the outcome of ${few(keys)} is unknown; car ${what.facts.car?.value.id ?? 'unknown'} may have to be retrieved`,
  },
};

/** L05, F36: the platform accepted our booking and has sent no callback about it. */
function isOnlyBooked({ booking, arrivals }: ReservationState): boolean {
  return booking !== undefined && arrivals === 0;
}
function silence(state: ReservationState): string {
  return isOnlyBooked(state)
    ? 'The platform accepted our booking, but no registration came'
    : 'No registration or update reported them';
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
/** The timeline entry of an item that is raised, or raised again. */
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
  return `Closed with this item open: ${kind}; the case file stores it.`;
}
/** What operations receive when an item is over: its cause went, a person settled it, or nothing can follow. */
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

const mostKeys = 8;
function few(keys: readonly string[]): string {
  const more = keys.length - mostKeys;
  return `${keys.slice(0, mostKeys).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
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
/** Without how late it is: a text is read long after it was written. */
function lateText({ facts }: Belief, state: ReservationState): string {
  const end = facts.period?.value.end;
  if (end === undefined) return 'The car is late, as the platform reports. Call the customer.';
  return `The car is not back: it was due at ${at(end, state)}. Call the customer.`;
}
