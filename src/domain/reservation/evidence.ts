import { type Instant, stamp } from '../shared/time.js';
import type { Belief } from './belief.js';
import type { Current } from './facts.js';
import type { ReservationState } from './state.js';
import { impliesReached, reachedAt, strongestReport } from './status-evidence.js';
import type { Evidence, Grade, PlainFact, Source } from './types.js';

const kindOf: Readonly<Record<Grade, Source['kind']>> = {
  observed: 'event',
  asserted: 'person',
  commanded: 'command',
  // a photo that a callback resolved (L24); what the schedule corroborates has its own source
  corroborated: 'command',
  // the platform accepted a command that only this status allows (L20)
  inferred: 'command',
};

export function sourceOf({ grade, source, from }: Report): Source {
  return { kind: from ?? kindOf[grade], id: source };
}

/** The source of a belief. `from`: who that is, where the grade does not state it. */
interface Report {
  grade: Grade;
  source: string;
  from?: 'schedule';
}

/** Why one fact is believed. */
export function evidenceOf(state: ReservationState, fact: Report & { at: Instant }): Evidence {
  return {
    grade: fact.grade,
    source: sourceOf(fact),
    at: stamp(fact.at, state.policy.zoneOffsetMinutes),
  };
}

/** The source of a status; one without a report is implied by a later one (L04). */
export function statusSource(state: ReservationState, code: number | null): Source | null {
  if (code === null) return null;
  const report = strongestReport(state, code);
  if (report !== null) return sourceOf(report);
  const later = impliesReached(state, code);
  return later === null ? null : { kind: 'inference', id: `${later}` };
}

/** Why each plain value of the view is believed, by its path. */
export function plainEvidence(
  state: ReservationState,
  { facts, status }: Belief,
): Partial<Record<PlainFact, Evidence>> {
  const of = (fact: Current<unknown> | null) => (fact === null ? null : evidenceOf(state, fact));
  const reached = (code: number): Evidence | null => {
    const grade = status.reached[code];
    const source = statusSource(state, code);
    const at = reachedAt(state, code) ?? reachedAt(state, impliesReached(state, code));
    if (grade === undefined || source === null || at === null) return null;
    return { grade, source, at: stamp(at, state.policy.zoneOffsetMinutes) };
  };
  const all: Record<PlainFact, Evidence | null> = {
    company: of(facts.company),
    service: of(facts.service),
    productId: of(facts.productId),
    createdAt: of(facts.createdAt),
    'pickup.address': of(facts.pickupAddress),
    'pickup.memo': of(facts.pickupMemo),
    driver: of(facts.driver),
    companion: of(facts.companion),
    'parking.memo': of(facts.parkingMemo),
    'parking.imageUrl': of(facts.parkingImageUrl),
    'parking.lotType': of(facts.parkingLotType),
    'driving.start': of(facts.drivingStart),
    'driving.end': of(facts.drivingEnd),
    'dispatch.startedAt': reached(10),
    'dispatch.completedAt': reached(15),
    'recall.completedAt': reached(35),
  };
  return Object.fromEntries(Object.entries(all).filter(([, evidence]) => evidence !== null));
}
