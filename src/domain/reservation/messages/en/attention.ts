import type { Locale } from '../../../shared/message.js';
import type { Instant } from '../../../shared/time.js';
import type { AttentionKind, ScheduleEntry } from '../../types.js';
import { pairs } from './names.js';

type Pairs = { pairs: readonly (readonly [number, number])[] };

/** For the person who works with the reservation: what is wrong, then what to do. One sentence per kind, and what becomes of items. */
export const attention = {
  'item.raised': (
    { kind, since, again }: { kind: AttentionKind; since: Instant; again: boolean },
    { time }: Locale,
  ) => `${again ? 'Still needs' : 'Needs'} attention: ${kind}, since ${time(since)}.`,
  'item.cleared': ({ kind }: { kind: AttentionKind }) => `No longer needs attention: ${kind}.`,
  'item.resolved': ({ kind, by }: { kind: AttentionKind; by: string }) => `${by} resolved: ${kind}.`,
  'item.left-open': ({ kind }: { kind: AttentionKind }) =>
    `Closed with this item open: ${kind}; the case file stores it.`,

  'attention.terminal-contradiction': (data: Pairs) =>
    `The reported end contradicts another status: ${pairs(data.pairs)}. The recorded end stands; call the customer and find out where the car is.`,
  'attention.conflict': (data: Pairs) =>
    `The reported statuses contradict each other: no reservation reaches both ${pairs(data.pairs)}. Check the platform's web site; a manager can assert the right status.`,
  'attention.unknown-status': ({ codes }: { codes: readonly number[] }) =>
    `The reported status is unknown: ${codes.join(', ')}. Check the reservation on the platform's web site.`,
  'attention.ambiguous': ({ facts }: { facts: readonly string[] }) =>
    `Conflicting values were reported: which ${facts.join(', ')} is the newest is unknown. Check the platform's web site; a manager can assert the right value.`,
  'attention.schedule-missing': (
    { carId, start }: { carId: number | null; start: Instant | null },
    { time }: Locale,
  ) =>
    `The schedule lacks this reservation (car ${carId ?? 'unknown'} from ${at(start, time)}). It may be cancelled or moved: check the platform's web site.`,
  'attention.schedule-differs': ({ entry }: { entry: ScheduleEntry | null }, { time }: Locale) =>
    `The platform's schedule differs: it has ${scheduleText(entry, time)}. A callback about a change may be lost; check the platform's web site.`,
  'attention.incomplete': ({ facts, booked }: { facts: readonly string[]; booked: boolean }) => {
    const silence = booked
      ? 'The platform accepted our booking, but no registration came'
      : 'No registration or update reported them';
    return `Facts are missing: ${facts.join(', ')}. ${silence}; find the reservation on the platform's web site.`;
  },
  'attention.odd-period': () =>
    'The rental period is impossible: it ends before it starts, or starts before it was booked. Check it with the customer.',
  'attention.spec-violation': () =>
    "The registration's status is wrong: it is not 5. Report it to the platform's support.",
  'attention.dispatch-not-started': ({ start }: { start: Instant | null }, { time }: Locale) =>
    `Dispatch has not started, and the rental starts at ${at(start, time)}. Send a driver with the car.`,
  'attention.handover-late': ({ start }: { start: Instant | null }, { time }: Locale) =>
    `The handover is late: the rental started at ${at(start, time)}. Call the driver on the way and the customer.`,
  'attention.callback-overdue': ({ end }: { end: Instant | null }, { time }: Locale) =>
    `No use was reported before the end of the rental at ${at(end, time)}, and no no-show cancellation came. Check the platform's web site, and find out where the car is.`,
  /** Without how late it is: a text is read long after it was written. */
  'attention.return-late': ({ end }: { end: Instant | null }, { time }: Locale) =>
    end === null
      ? 'The car is late, as the platform reports. Call the customer.'
      : `The car is not back: it was due at ${time(end)}. Call the customer.`,
  'attention.recall-overdue': () =>
    'The recall is not complete, and the car was returned long ago. Send a driver to check the car.',
  'attention.not-announced': () =>
    "An accepted action has no callback. Check the reservation on the platform's web site, and the callback address there.",
  'attention.command-unknown': () =>
    "An action's outcome is unknown: it may have reached the platform. Check the platform's web site and resolve the command as applied or rejected.",
  'attention.note-not-kept': () =>
    "The recall's note may be missing. Check the car's memos, write the note by hand if it is not there, then resolve this item.",
  'attention.retrieve-car': ({ cancelled }: { cancelled: boolean }) =>
    cancelled
      ? 'The car must be retrieved: the reservation was cancelled with the car on its way or handed over. Bring the car back, then resolve this item.'
      : 'The car may be on its way although the reservation was cancelled. Ask the driver, bring the car back, then resolve this item.',
} as const;

export function at(instant: Instant | null, time: Locale['time']): string {
  return instant === null ? 'an unknown time' : time(instant);
}
export function scheduleText(entry: ScheduleEntry | null, time: Locale['time']): string {
  if (entry === null) return 'nothing';
  const { carId, start, end, scheduleId } = entry;
  return `car ${carId}, ${time(start)} to ${time(end)} (schedule ${scheduleId})`;
}
