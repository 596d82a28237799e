import { attentionMessage, openAttention, sinceOf } from './attention.js';
import { type Belief, belief } from './belief.js';
import { displayFor, expectedNext } from './expected.js';
import type { Current } from './facts.js';
import { findCommand, isOutdated } from './guards.js';
import { actionTitle } from './messages.js';
import type { CommandRecord, ReservationState } from './state.js';
import { reachedAt } from './status-evidence.js';
import { statusName } from './statuses.js';
import { stamp } from './time.js';
import type {
  Action,
  AttentionView,
  CommandState,
  CommandView,
  Instant,
  ListFacts,
  PhotoView,
  ReservationView,
} from './types.js';
import { isClosed } from './wake.js';

/** One reservation as the API shows it at `now`; timestamps in the service's zone. */
export function view(state: ReservationState, now: Instant): ReservationView {
  const what = belief(state);
  const { status, facts } = what;
  const time = (instant: Instant | null) => stampOf(state, instant);
  const expected = expectedNext(state, what, now);
  const value = <T>(fact: Current<T> | null): T | null => fact?.value ?? null;
  return {
    reservationId: state.reservationId,
    status: {
      code: status.code,
      name: status.code === null ? 'unknown' : statusName(status.code),
      grade: status.grade,
      since: time(status.since),
    },
    expected: expected === null ? null : { code: expected.code, by: time(expected.by) },
    display: displayFor(status.code),
    registered: state.registered,
    marks: what.marks,
    period: facts.period && {
      start: stamp(facts.period.value.start, state.policy.zoneOffsetMinutes),
      end: stamp(facts.period.value.end, state.policy.zoneOffsetMinutes),
      changes: facts.period.changes,
      grade: facts.period.grade,
    },
    car: facts.car && { ...facts.car.value, changes: facts.car.changes, grade: facts.car.grade },
    company: value(facts.company),
    service: value(facts.service),
    productId: value(facts.productId),
    createdAt: time(value(facts.createdAt)),
    pickup: { address: value(facts.pickupAddress), memo: value(facts.pickupMemo) },
    driver: value(facts.driver),
    companion: value(facts.companion),
    parking: {
      memo: value(facts.parkingMemo),
      imageUrl: value(facts.parkingImageUrl),
      lotType: value(facts.parkingLotType),
    },
    driving: { start: time(value(facts.drivingStart)), end: time(value(facts.drivingEnd)) },
    dispatch: {
      staff: staffOf(state, 'dispatch.staff'),
      startedAt: time(reachedAt(state, 10)),
      parkingImage: photoOf(state, 'dispatch.parkingImage', facts.car?.value.id ?? null),
      carImage: photoOf(state, 'dispatch.carImage', facts.car?.value.id ?? null),
      completedAt: time(reachedAt(state, 15)),
    },
    recall: {
      staff: staffOf(state, 'recall.staff'),
      carImage: photoOf(state, 'recall.carImage', facts.car?.value.id ?? null),
      completedAt: time(reachedAt(state, 35)),
    },
    attention: attentionView(state, what),
    commands: state.commands.map((record) => commandOf(state, record)),
    closed: isClosed(state, now, what),
  };
}

function stampOf(state: ReservationState, instant: Instant | null): string | null {
  return instant === null ? null : stamp(instant, state.policy.zoneOffsetMinutes);
}

function staffOf(state: ReservationState, action: Action) {
  return state.steps.find((step) => step.action === action)?.staff ?? null;
}

function photoOf(state: ReservationState, action: Action, carId: number | null): PhotoView | null {
  const step = state.steps.find((one) => one.action === action);
  if (!step?.photo) return null;
  const { hash, type } = step.photo;
  const at = stamp(step.at, state.policy.zoneOffsetMinutes);
  return { hash, type, at, outdated: isOutdated(step, carId) };
}

function attentionView(state: ReservationState, what: Belief): AttentionView[] {
  return openAttention(state).map((item) => ({
    kind: item.kind,
    since: stamp(sinceOf(item), state.policy.zoneOffsetMinutes),
    message: attentionMessage(state, what, item),
  }));
}

function commandOf(state: ReservationState, record: CommandRecord): CommandView {
  const { commandId, action, by, settledBy, code, message, attempts, override } = record;
  const at = stamp(record.at, state.policy.zoneOffsetMinutes);
  const settledAt = stampOf(state, record.settledAt);
  return {
    commandId,
    action,
    outcome: record.state,
    by,
    at,
    settledAt,
    settledBy,
    code,
    message,
    attempts,
    override,
  };
}

/** The command with this id as it stands, or null where none is known. */
export function knownCommand(state: ReservationState, commandId: string): CommandView | null {
  const record = findCommand(state, commandId);
  return record === undefined ? null : commandOf(state, record);
}

/**
 * The command with this id as it stands.
 *
 * @throws where no such command was taken in: a caller's mistake.
 */
export function commandView(state: ReservationState, commandId: string): CommandView {
  const known = knownCommand(state, commandId);
  if (known === null) throw new Error(`no command ${commandId} on reservation ${state.reservationId}`);
  return known;
}

/** Whether a command has been answered at least once: its caller can be told how it stands. */
export function isSettled(outcome: CommandState): boolean {
  return outcome !== 'queued' && outcome !== 'out';
}

/** What lists show; goes to the search attributes (no personal data, L60). */
export function listFacts(state: ReservationState): ListFacts {
  const { status, facts } = belief(state);
  return {
    status: status.code,
    carId: facts.car?.value.id ?? null,
    companyId: facts.company?.value.id ?? null,
    period: facts.period?.value ?? null,
    attention: openAttention(state).map(({ kind }) => kind),
  };
}

const commandsTold = 5;

/** The reservation in a few lines of markdown, for Temporal UI's current details; no personal data (L60). */
export function details(state: ReservationState, now: Instant): string {
  const shown = view(state, now);
  const { status, expected } = shown;
  const grade = status.grade === null ? '' : `, ${status.grade}`;
  const since = status.since === null ? '' : ` since ${status.since}`;
  const by = expected?.by ? ` by ${expected.by}` : '';
  return [
    `**${status.code ?? '?'} ${status.name}**${grade}${since}`,
    ...(expected === null ? [] : [`Expected next: ${expected.code} ${statusName(expected.code)}${by}`]),
    ...listed(shown.attention.map(({ kind, since, message }) => `**${kind}** since ${since}: ${message}`)),
    ...listed(
      shown.commands
        .slice(-commandsTold)
        .map(
          ({ action, outcome, code }) =>
            `${actionTitle(action)}: ${outcome}${code === null ? '' : ` (${code})`}`,
        ),
    ),
    ...(shown.marks.length === 0 ? [] : [`Marks: ${shown.marks.join(', ')}`]),
  ].join('\n\n');
}

/** One list of markdown, or nothing. */
function listed(items: string[]): string[] {
  return items.length === 0 ? [] : [items.map((item) => `- ${item}`).join('\n')];
}
