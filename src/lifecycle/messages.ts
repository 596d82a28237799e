import { type Belief, belief } from './belief.js';
import type { ReservationState } from './state.js';
import { statusName } from './statuses.js';
import { stamp } from './time.js';
import type {
  Action,
  AttentionKind,
  CommandState,
  Instant,
  Refusal,
  ReservationEvent,
  Verdict,
} from './types.js';

// The one catalogue of what staff read. A text says what happened and what to do; none holds personal data.

const actionNames: Readonly<Record<Action, string>> = {
  'dispatch.staff': 'assign dispatch staff',
  'dispatch.start': 'start dispatch',
  'dispatch.parkingImage': 'register the parking photo',
  'dispatch.carImage': 'register the car photo at dispatch',
  'dispatch.complete': 'complete dispatch',
  'recall.staff': 'assign recall staff',
  'recall.carImage': 'register the car photo at recall',
  'recall.complete': 'complete recall',
};

function named(code: number): string {
  return `${code} (${statusName(code)})`;
}

// Refusals

export function commandIdReused(): Refusal {
  const message = 'This command id was used for another action or body. Use a new one for a new action.';
  return { code: 'COMMAND_ID_REUSED', message, overridable: false };
}
export function photoMissing(action: Action): Refusal {
  return { code: 'PHOTO_MISSING', message: `To ${actionNames[action]}, attach a photo.`, overridable: false };
}
export function roleOff(action: Action): Refusal {
  const message = `Only a rental company may ${actionNames[action]}; this deployment has no supplier key.`;
  return { code: 'ROLE_OFF', message, overridable: false };
}
export function terminal(action: Action, status: number): Refusal {
  const message = `The reservation has ended at ${named(status)}; nobody can ${actionNames[action]} any more.`;
  return { code: 'RESERVATION_TERMINAL', message, overridable: false };
}
export function past(action: Action, status: number): Refusal {
  const message = `Too late to ${actionNames[action]}: the reservation is already at ${named(status)}.`;
  return { code: 'ACTION_NOT_ALLOWED', message, overridable: false };
}
export function behind(action: Action, status: number | null, allowed: readonly number[]): Refusal {
  const here = status === null ? 'No status is known yet' : `The reservation is believed at ${named(status)}`;
  const needs = allowed.map(named).join(' or ');
  const message = `${here}, and to ${actionNames[action]} it must be at ${needs}. A callback may have been lost: an override with a reason lets the platform decide.`;
  return { code: 'STATUS_BEHIND', message, overridable: true };
}
export function outOfOrder(action: Action, missing: Action[]): Refusal {
  const first = missing.map((step) => actionNames[step]).join(', ');
  const message = `Before you ${actionNames[action]}, the recommended order asks to ${first}. An override with a reason leaves that out.`;
  return { code: 'OUT_OF_ORDER', message, overridable: true };
}
export function commandNotFound(): Refusal {
  const message = 'No command with this id is known for this reservation.';
  return { code: 'COMMAND_NOT_FOUND', message, overridable: false };
}
export function commandSettled(outcome: CommandState): Refusal {
  const message = `Only an unknown outcome can be settled by a person; this command is ${outcome}.`;
  return { code: 'COMMAND_SETTLED', message, overridable: false };
}
export function periodIncomplete(): Refusal {
  const message = 'The period is not known yet: give both its start and its end.';
  return { code: 'PERIOD_INCOMPLETE', message, overridable: false };
}
export function nothingAsserted(): Refusal {
  const message = 'Give at least one of status (a known code), car, start or end.';
  return { code: 'NOTHING_ASSERTED', message, overridable: false };
}
export function attentionNotFound(kind: AttentionKind): Refusal {
  const message = `No open attention item "${kind}" on this reservation.`;
  return { code: 'ATTENTION_NOT_FOUND', message, overridable: false };
}

// Attention

type AttentionText = (known: { what: Belief; state: ReservationState }) => string;

const attentionTexts: Readonly<Record<AttentionKind, AttentionText>> = {
  'terminal-contradiction': ({ what }) =>
    `The platform reported ${pairs(what.status.contradictions)}, which cannot both be true. The end stands; call the customer and find out where the car is.`,
  conflict: ({ what }) =>
    `The platform reported ${pairs(what.status.conflicts)}, which no reservation can pass through. Check the platform's web site and decide.`,
  'unknown-status': ({ state }) =>
    `The platform reported a status nobody knows: ${state.unknownStatuses.map(({ code }) => code).join(', ')}. Check its web site.`,
  ambiguous: ({ what }) =>
    `Several values came for ${ambiguousNames(what)} and their order cannot be known. Check the platform's web site.`,
  incomplete: ({ what }) =>
    `Not known: ${missingFacts(what)}. No registration or update has told; look the reservation up on the platform's web site.`,
  'odd-period': () =>
    'The period ends before it starts, or starts before it was booked. Check it with the customer.',
  'spec-violation': () =>
    "The platform sent a registration with a status other than 5. Tell the platform's support.",
  'dispatch-not-started': ({ what, state }) =>
    `Dispatch has not started; the rental starts at ${at(what.facts.period?.value.start, state)}. Send somebody with the car.`,
  'handover-late': ({ what, state }) =>
    `The rental started at ${at(what.facts.period?.value.start, state)} and the car is not handed over. Call the driver on the way and the customer.`,
  'callback-overdue': ({ what, state }) =>
    `The rental ended at ${at(what.facts.period?.value.end, state)} without a sign of use, yet no no-show cancellation came. Check the platform's web site and where the car is.`,
  'return-late': ({ what, state }) => lateText(what, state),
  'recall-overdue': () =>
    'The car was returned long ago and its recall is not complete. Send somebody to check the car.',
  'not-announced': () =>
    'The platform accepted an action, yet sent no callback about it. Check the callback address and the web site.',
  'command-unknown': () =>
    'Nobody knows whether an action reached the platform. Look on its web site and settle the command as applied or rejected.',
  'retrieve-car': () =>
    'The reservation was cancelled with the car under way or handed over. Bring the car back, then resolve this item.',
};

export function attentionText(kind: AttentionKind, state: ReservationState): string {
  return attentionTexts[kind]({ what: belief(state), state });
}
export function clearedText(kind: AttentionKind): string {
  return `No longer needs attention: ${kind}.`;
}
export function resolvedText(kind: AttentionKind, by: string): string {
  return `${by} resolved: ${kind}.`;
}

function pairs(list: [number, number][]): string {
  return list.map(([a, b]) => `${named(a)} and ${named(b)}`).join('; ');
}
function at(instant: Instant | undefined, state: ReservationState): string {
  return instant === undefined ? 'an unknown time' : stamp(instant, state.policy.zoneOffsetMinutes);
}
function ambiguousNames({ facts }: Belief): string {
  const names = Object.entries(facts).filter(([, fact]) => fact?.ambiguousSince);
  return names.map(([name]) => name).join(', ');
}
function missingFacts({ status, facts }: Belief): string {
  const missing = [
    status.code === null ? 'status' : null,
    facts.period === null ? 'period' : null,
    facts.car === null ? 'car' : null,
  ];
  return missing.filter((name) => name !== null).join(', ');
}
/** Without the minutes: a text is read long after it was written. */
function lateText({ facts }: Belief, state: ReservationState): string {
  const end = facts.period?.value.end;
  if (end === undefined) return 'The platform says that the car is late. Call the customer.';
  return `The car was due back at ${at(end, state)}. Call the customer.`;
}

// Events

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
  const said = event.status === undefined ? '' : `, status ${named(event.status)}`;
  const moved = [statusMove(before, after), carMove(before, after), periodMove(before, after)];
  const changes = moved.filter((text) => text !== null).join(' ');
  return `${channelNames[event.channel]}${said}: ${verdictTexts[verdict]}.${changes === '' ? '' : ` ${changes}`}`;
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

// Commands

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
export function actionTitle(action: Action): string {
  return capital(actionNames[action]);
}
export function pressed(action: Action, by: string, overridden: boolean): string {
  return `${by} asked to ${actionNames[action]}${overridden ? ', with an override' : ''}.`;
}
const outcomeTexts: Readonly<Record<CommandState, string>> = {
  queued: 'waits for its turn',
  out: 'sent',
  waiting: 'the platform could not take it; it will be sent again',
  suspended: 'the key of its role does not work; it resumes when it does',
  applied: 'applied',
  rejected: 'rejected',
  unknown: 'it may or may not have happened',
};
export function outcome(action: Action, state: CommandState, code: string | null): string {
  return `${actionTitle(action)}: ${outcomeTexts[state]}${code === null ? '' : ` (${code})`}.`;
}
export function settledByCallback(action: Action): string {
  return `${actionTitle(action)}: applied, as a callback shows.`;
}
export function settledByPerson(action: Action, by: string, state: CommandState): string {
  return `${by} settled "${actionNames[action]}" as ${state}.`;
}
export function asserted(by: string, names: string[]): string {
  return `${by} asserted: ${names.join(', ')}.`;
}
export const noMoreTries = 'the time for further attempts is over';
