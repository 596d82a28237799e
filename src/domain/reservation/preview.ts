import type { Instant } from '../shared/time.js';
import { observe } from './observe.js';
import type { ReservationState } from './state.js';
import type { ReservationEvent, Verdict } from './types.js';
import { view } from './view.js';
import { wake } from './wake.js';

/** A field of the view that an event would change: its dotted path, such as `period.end`, and both values. */
export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

/** What would become of an event. */
export interface EventPreview {
  inboxId: number;
  verdict: Verdict;
  rule: string;
  changes: Change[];
}

/**
 * What would become of events that came at `now`, one after the other. Pure: the state stays as it is.
 * @returns one answer per event, in their order
 */
export function previewEvents(
  state: ReservationState,
  events: readonly ReservationEvent[],
  now: Instant,
): EventPreview[] {
  // a deadline that has just passed is no event's doing
  let current = wake(state, now).state;
  return events.map((event) => {
    const { state: observed, verdict: judged } = observe(current, event, now);
    const next = wake(observed, now).state;
    const changes = differences(factsOf(current, now), factsOf(next, now));
    current = next;
    return { inboxId: judged.inboxId, verdict: judged.verdict, rule: judged.rule, changes };
  });
}

/** What actions are allowed follows from the rest. */
function factsOf(state: ReservationState, now: Instant) {
  const { progress: _, ...facts } = view(state, now);
  return facts;
}

/** The innermost fields that differ; a list is one field. */
function differences(before: unknown, after: unknown, path = ''): Change[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isRecord(before) || !isRecord(after)) return [{ field: path, before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    differences(before[name] ?? null, after[name] ?? null, path === '' ? name : `${path}.${name}`),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
