import { type Instant, stamp } from '../shared/time.js';
import { messageOf, openAttention, sinceOf } from './attention.js';
import { type Belief, belief } from './belief.js';
import { commandOf } from './command-view.js';
import { decisionViews } from './decisions.js';
import { evidenceOf, plainEvidence, statusSource } from './evidence.js';
import { displayFor, expectedNext } from './expected.js';
import type { Current } from './facts.js';
import { isOutdated, progressOf } from './guards.js';
import { nextAtRisk } from './next-at-risk.js';
import { holdProposals } from './proposals.js';
import { noteView } from './recall-note.js';
import type { ReservationState } from './state.js';
import { reachedAt } from './status-evidence.js';
import { statusName } from './statuses.js';
import type {
  Action,
  AttentionView,
  Evidence,
  NextAtRiskView,
  PhotoView,
  ReservationView,
  StaffView,
} from './types.js';
import { isClosed } from './wake.js';
import { webAddress } from './web-address.js';

/** One reservation as the API shows it at `now`; timestamps in the service's zone. */
export function view(state: ReservationState, now: Instant): ReservationView {
  const what = belief(state);
  const { status, facts } = what;
  const time = (instant: Instant | null) => stampOf(state, instant);
  const expected = expectedNext(state, what, now);
  const value = <T>(fact: Current<T> | null): T | null => fact?.value ?? null;
  return {
    reservationId: state.reservationId,
    sequence: state.sequence ?? 0,
    status: {
      code: status.code,
      name: status.code === null ? 'unknown' : statusName(status.code),
      grade: status.grade,
      source: statusSource(state, status.code),
      since: time(status.since),
    },
    expected: expected === null ? null : { code: expected.code, by: time(expected.by) },
    display: displayFor(status.code),
    registered: state.registered,
    ...(state.booking !== undefined && {
      booking: { ...state.booking, at: stamp(state.booking.at, state.policy.zoneOffsetMinutes) },
    }),
    marks: what.marks,
    period: facts.period && {
      start: stamp(facts.period.value.start, state.policy.zoneOffsetMinutes),
      end: stamp(facts.period.value.end, state.policy.zoneOffsetMinutes),
      changes: facts.period.changes,
      ...evidenceOf(state, facts.period),
    },
    car: facts.car && {
      ...facts.car.value,
      changes: facts.car.changes,
      ...evidenceOf(state, facts.car),
    },
    company: value(facts.company),
    service: value(facts.service),
    productId: value(facts.productId),
    createdAt: time(value(facts.createdAt)),
    pickup: { address: value(facts.pickupAddress), memo: value(facts.pickupMemo) },
    driver: value(facts.driver),
    companion: value(facts.companion),
    parking: {
      memo: value(facts.parkingMemo),
      // an earlier release took any text
      imageUrl: webAddress(value(facts.parkingImageUrl)),
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
      note: noteView(state),
    },
    evidence: plainEvidence(state, what),
    attention: attentionView(state, what),
    danger: nextAtRiskView(state, what),
    proposals: holdProposals(state, what),
    commands: state.commands.map((record) => commandOf(state, record)),
    progress: progressOf(state, what),
    decisions: decisionViews(state),
    closed: isClosed(state, now, what),
  };
}

function stampOf(state: ReservationState, instant: Instant | null): string | null {
  return instant === null ? null : stamp(instant, state.policy.zoneOffsetMinutes);
}

function staffOf(state: ReservationState, action: Action): (StaffView & Evidence) | null {
  const step = state.steps.find((one) => one.action === action);
  return step?.staff ? { ...step.staff, ...evidenceOf(state, step) } : null;
}

function photoOf(state: ReservationState, action: Action, carId: number | null): PhotoView | null {
  const step = state.steps.find((one) => one.action === action);
  if (!step?.photo) return null;
  const { hash, type } = step.photo;
  return { hash, type, ...evidenceOf(state, step), outdated: isOutdated(step, carId) };
}

function attentionView(state: ReservationState, what: Belief): AttentionView[] {
  return openAttention(state).map((item) => ({
    kind: item.kind,
    since: stamp(sinceOf(item), state.policy.zoneOffsetMinutes),
    message: messageOf(state, what, item),
  }));
}

function nextAtRiskView(state: ReservationState, what: Belief): NextAtRiskView | null {
  const atRisk = nextAtRisk(state, what);
  if (atRisk === null || atRisk.since > state.lookedAt) return null;
  const time = (instant: Instant) => stamp(instant, state.policy.zoneOffsetMinutes);
  const { scheduleId, type, start, end, reservationId = null } = atRisk.next;
  return {
    entry: { scheduleId, type, reservationId, startAt: time(start), endAt: time(end) },
    candidates: atRisk.candidates,
    checkedAt: time(atRisk.at),
  };
}
