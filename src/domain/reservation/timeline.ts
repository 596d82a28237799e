import type { Instant } from '../shared/time.js';
import type { ReservationState } from './state.js';
import type { AttentionChange, TimelineEntry } from './types.js';

/** What a decision leaves behind: the next state, and the new timeline entries. */
export interface Step {
  state: ReservationState;
  entries: TimelineEntry[];
}

export type NewEntry = Pick<TimelineEntry, 'kind' | 'rule' | 'text'> & {
  data?: TimelineEntry['data'];
  attention?: AttentionChange;
};

/** A step to this state that leaves no timeline entry. */
export function stepTo(state: ReservationState): Step {
  return { state, entries: [] };
}

/** Adds one timeline entry; its number continues the reservation's. */
export function addEntry(step: Step, at: Instant, added: NewEntry): Step {
  const seq = step.state.seq + 1;
  const { kind, rule, text, data = {}, attention } = added;
  const entry = { seq, at, kind, rule, text, data, ...(attention && { attention }) };
  return { state: { ...step.state, seq }, entries: [...step.entries, entry] };
}

/** Continues a step with another. */
export function follow(step: Step, next: (state: ReservationState) => Step): Step {
  const { state, entries } = next(step.state);
  return { state, entries: [...step.entries, ...entries] };
}
