import { fingerprint } from '../shared/hash.js';
import type { Instant } from '../shared/time.js';
import { reconcile, recordPeriodEnd } from './attention.js';
import { belief } from './belief.js';
import { fitToBytes } from './bounds.js';
import { carIdentity } from './car.js';
import { resolveByEvidence } from './command-outcome.js';
import { arrivalOf, claim, type Fact, withdraw } from './facts.js';
import { message } from './messages/message.js';
import { movedEntry } from './moved-entry.js';
import { noteExtension } from './next-at-risk.js';
import type { CarChange, Facts, ReservationState } from './state.js';
import { isOverruled, presentStatus, witness } from './status-evidence.js';
import { isKnownStatus, registrationRung } from './statuses.js';
import { addEntry, follow, type NewEntry, type Step } from './timeline.js';
import type { EventVerdict, ReservationEvent } from './types.js';
import { type Judgement, judge } from './verdict.js';

const seenIds = 256;
const mostCarChanges = 16;
/** A number plate is short. */
const carBytes = 128;
const mostUnknownStatuses = 8;
const mostMalformed = 16;

/**
 * Applies one callback (L01-L17): its statements join the evidence, and what is believed follows from all the
 * evidence, whatever its order.
 *
 * @returns the next state, the new timeline entries, and the event's one verdict.
 */
export function observe(
  state: ReservationState,
  event: ReservationEvent,
  now: Instant,
): Step & { verdict: EventVerdict } {
  const slot = contentSlot(state, event);
  const { inboxId, replay } = event;
  const reading = { inboxId, ...(replay !== undefined && { replay }) };
  const repeated =
    state.seen.includes(fingerprint(event.eventId)) || state.newest[slot] === fingerprint(event.contentHash);
  const before = belief(state);
  const ended = recordPeriodEnd(state, now, before);
  const joined = repeated ? ended.state : join(note(ended.state, event, slot), event);
  const after = repeated ? before : belief(joined);
  const next = noteExtension(joined, before, after);
  const judgement: Judgement = repeated
    ? { verdict: 'duplicate', rule: 'L01' }
    : judge(state, event, before, after);
  const { channel, status = null } = event;
  const entry: NewEntry = {
    kind: 'event',
    rule: judgement.rule,
    messages: [
      message('event', { channel, status, replayed: replay !== undefined, verdict: judgement.verdict }),
    ],
    data: { ...reading, verdict: judgement.verdict, status },
  };
  const recorded = addEntry({ ...ended, state: next }, now, movedEntry(entry, next, before, after, now));
  const resolved = follow(recorded, (s) => resolveByEvidence(s, now));
  const isUnresolved = resolved.state === recorded.state;
  const step = follow(resolved, (s) => (isUnresolved ? reconcile(s, now, after) : reconcile(s, now)));
  return { ...step, verdict: { ...reading, ...judgement } };
}

/** Remembers the event's identity and content; one that is read again is not the newest at its rung. */
function note(state: ReservationState, event: ReservationEvent, slot: string): ReservationState {
  const seen = [...state.seen, fingerprint(event.eventId)].slice(-seenIds);
  if (event.replay !== undefined && slot in state.newest) return { ...state, seen };
  return { ...state, seen, newest: { ...state.newest, [slot]: fingerprint(event.contentHash) } };
}

/** The slot of the newest content of its kind: one per rung and channel (L01). */
function contentSlot(state: ReservationState, event: ReservationEvent): string {
  return `${event.channel}@${rungOf(state, event)}`;
}

/**
 * The rung at which an event's values count: its status; for a registration the one before every update (L07),
 * unless its status is not 5 (L06); for an unknown status the last known one (L11), and for one that a decision set aside (L10) too.
 */
function rungOf(state: ReservationState, event: ReservationEvent): number {
  const { status, channel } = event;
  if (status === undefined || !isKnownStatus(status) || isOverruled(state, event))
    return presentStatus(state) ?? registrationRung;
  return channel === 'registration' && status === 5 ? registrationRung : status;
}

/** Joins the statements of an event to the evidence. */
function join(state: ReservationState, event: ReservationEvent): ReservationState {
  const arrived = { ...state, arrivals: state.arrivals + 1 };
  const changed = event.channel === 'car' ? joinCarChange(arrived, event) : arrived;
  const placed = event.channel === 'car' && event.status === undefined ? changed : joinFacts(changed, event);
  return joinRegistration(joinStatus(placed, event), event);
}

/** The inbox row: a person finds the event by it, and unlike the sender's id it says nothing and is short. */
function sourceOf({ inboxId }: ReservationEvent): string {
  return `${inboxId}`;
}

function joinStatus(state: ReservationState, event: ReservationEvent): ReservationState {
  const { status, receivedAt, changedAt } = event;
  if (status === undefined || isOverruled(state, event)) return state;
  if (isKnownStatus(status)) {
    return witness(state, status, 'observed', {
      source: sourceOf(event),
      at: receivedAt,
      changedAt: changedAt ?? null,
    });
  }
  if (state.unknownStatuses.some(({ code }) => code === status)) return state;
  const unknownStatuses = [...state.unknownStatuses, { code: status, at: receivedAt }];
  return { ...state, unknownStatuses: unknownStatuses.slice(-mostUnknownStatuses) };
}

function joinRegistration(state: ReservationState, event: ReservationEvent): ReservationState {
  const malformed = [...new Set([...state.malformed, ...(event.malformed ?? [])])]
    .sort()
    .slice(0, mostMalformed);
  if (event.channel !== 'registration') return { ...state, malformed };
  const specViolatedAt = state.specViolatedAt ?? (event.status === 5 ? null : event.receivedAt);
  return { ...state, malformed, registered: true, specViolatedAt };
}

/** The facts that an event states, by name; absent ones keep their last value, `companion: null` is a value (L15). */
function stated(event: ReservationEvent): Record<keyof Facts, unknown> {
  return {
    period: event.period,
    car: event.car,
    company: event.company,
    service: event.service,
    productId: event.productId,
    createdAt: event.createdAt,
    driver: event.driver,
    companion: event.companion,
    pickupAddress: event.pickupAddress,
    pickupMemo: event.pickupMemo,
    parkingMemo: event.parking?.memo,
    parkingImageUrl: event.parking?.imageUrl,
    parkingLotType: event.parking?.lotType,
    drivingStart: event.driving?.start,
    drivingEnd: event.driving?.end,
  };
}

function joinFacts(state: ReservationState, event: ReservationEvent): ReservationState {
  const rung = rungOf(state, event);
  const made = {
    grade: 'observed' as const,
    source: sourceOf(event),
    at: event.receivedAt,
    changedAt: event.changedAt ?? null,
  };
  const facts: Record<string, Fact<unknown> | null> = { ...state.facts };
  for (const [name, value] of Object.entries(stated(event))) {
    if (value === undefined) continue;
    const identity = name === 'car' && event.car ? carIdentity(event.car) : value;
    const known = facts[name] ?? null;
    const isReread = event.replay !== undefined && known?.rung === rung;
    const fact = isReread ? withdraw(known, made.source, identity) : known;
    const arrival = placeOf(event, state, fact?.rung === rung ? fact.claims : []);
    facts[name] = claim(fact, rung, { ...made, value, arrival }, identity);
  }
  return { ...state, facts: facts as unknown as Facts };
}

/** Its place among reports of the same kind (L13): a replayed event has the place of its receipt. */
function placeOf(
  event: ReservationEvent,
  { arrivals }: ReservationState,
  reports: Parameters<typeof arrivalOf>[0],
): number {
  return event.replay === undefined ? arrivals : arrivalOf(reports, event, arrivals);
}

function joinCarChange(state: ReservationState, event: ReservationEvent): ReservationState {
  if (event.car === undefined) return state;
  const change: CarChange = {
    from: event.previousCarId ?? null,
    to: fitToBytes(event.car, carBytes),
    source: sourceOf(event),
    at: event.receivedAt,
    changedAt: event.changedAt ?? null,
    arrival: placeOf(
      event,
      state,
      state.carChanges.map(({ arrival, at, source }) => ({ arrival, heardAt: at, source })),
    ),
  };
  const others = state.carChanges.filter((one) => !isSameChange(one, change));
  if (event.replay === undefined) {
    return { ...state, carChanges: [...others, change].slice(-mostCarChanges) };
  }
  if (others.length < state.carChanges.length) return state;
  // an earlier reading of the event reported another change, which is removed
  const rest = others.filter(({ source }) => source !== change.source);
  const inOrder = [...rest, change].sort((a, b) => a.arrival - b.arrival);
  return { ...state, carChanges: inOrder.slice(-mostCarChanges) };
}

function isSameChange(a: CarChange, b: CarChange): boolean {
  return a.from === b.from && a.to.id === b.to.id && a.changedAt === b.changedAt;
}
