import { fingerprint } from '../shared/hash.js';
import type { Instant } from '../shared/time.js';
import { reconcile, recordPeriodEnd } from './attention.js';
import { ambiguousFacts, type Belief, belief, isSameBelief } from './belief.js';
import { carIdentity } from './car.js';
import type { Fact, Shown } from './facts.js';
import { message } from './messages/message.js';
import { movedEntry } from './moved-entry.js';
import type { ReservationState } from './state.js';
import { addEntry, follow, type NewEntry, type Step, stepTo } from './timeline.js';
import type { ScheduleEntry, ScheduleEvidence } from './types.js';

/**
 * Applies what the platform's schedule shows of a reservation (L19): its entry decides which of several reported
 * values of period and car is the present one (L13), and corroborates what no callback reported. It is never a status, and
 * a value that no callback reported is not adopted: attention is raised.
 *
 * It is no event, so it has no place in their order: what is believed follows from the events and the newest reading,
 * in whatever order they came in.
 */
export function corroborate(state: ReservationState, evidence: ScheduleEvidence, now: Instant): Step {
  if (state.scheduled !== undefined && evidence.at < state.scheduled.at) return stepTo(state);
  const before = belief(state);
  const ended = recordPeriodEnd(state, now, before);
  const entry = evidence.entry ?? findFitting(ended.state, before, evidence.candidates);
  const next = join(ended.state, entry, evidence);
  const after = belief(next);
  const step = { ...ended, state: next };
  if (entry === null || isSameBelief(before, after)) return follow(step, (s) => reconcile(s, now, after));
  const { scheduleId, carId, start, end } = entry;
  const noted: NewEntry = {
    kind: 'decision',
    rule: ambiguousFacts(after).length < ambiguousFacts(before).length ? 'L13' : 'L19',
    messages: [message('schedule.shown', { scheduleId, carId, start, end })],
    data: { scheduleId },
  };
  return follow(addEntry(step, now, movedEntry(noted, next, before, after, now)), (s) =>
    reconcile(s, now, after),
  );
}

/** The only candidate that fits what was reported of the reservation (L13); null where none does, or several. */
function findFitting(
  state: ReservationState,
  { facts: { period, car } }: Belief,
  candidates: readonly ScheduleEntry[],
): ScheduleEntry | null {
  const fits = candidates.filter(
    (entry) =>
      (period?.ambiguousSince == null
        ? fingerprint(period?.value) === periodKey(entry)
        : isClaimed(state.facts.period, periodKey(entry))) &&
      (car?.ambiguousSince == null
        ? car?.value.id === entry.carId
        : isClaimed(state.facts.car, carKey(entry)) || isChangeTo(state, entry.carId)),
  );
  return fits.length === 1 ? (fits[0] ?? null) : null;
}

function join(
  state: ReservationState,
  entry: ScheduleEntry | null,
  { at, confirmed }: ScheduleEvidence,
): ReservationState {
  const scheduled = { at, entry, confirmed };
  const { period, car } = state.facts;
  const toShown = (key: (entry: ScheduleEntry) => string) =>
    entry === null ? null : { key: key(entry), scheduleId: entry.scheduleId, at };
  if (entry === null && !confirmed) return { ...state, scheduled };
  const facts = { period: withShown(period, toShown(periodKey)), car: withShown(car, toShown(carKey)) };
  return { ...state, scheduled, facts: { ...state.facts, ...facts } };
}

/**
 * What the schedule shows of a fact now. A value that no callback reported corroborates none any more, as does no entry; yet
 * neither brings back into doubt what an earlier reading settled.
 */
function withShown<T>(fact: Fact<T> | null, shown: Shown | null): Fact<T> | null {
  if (fact === null) return null;
  const { shown: before, ...rest } = fact;
  const isDecided = before !== undefined && fact.claims.length > 1 && isClaimed(fact, before.key);
  if (isDecided && (shown === null || !isClaimed(fact, shown.key))) return fact;
  return shown === null ? rest : { ...rest, shown };
}

function isClaimed<T>(fact: Fact<T> | null, key: string): boolean {
  return fact?.claims.some((one) => one.key === key) === true;
}
function isChangeTo({ carChanges }: ReservationState, carId: number): boolean {
  return carChanges.some(({ to }) => to.id === carId);
}
function periodKey({ start, end }: ScheduleEntry): string {
  return fingerprint({ start, end });
}
function carKey({ carId }: ScheduleEntry): string {
  return fingerprint(carIdentity({ id: carId, number: null }));
}
