import type { Instant } from '../shared/time.js';
import type { ReservationState } from './state.js';
import type { AttentionChange, TimelineEntry } from './types.js';

/** What a decision leaves behind: the next state, and the new lines of the story. */
export interface Step {
  state: ReservationState;
  entries: TimelineEntry[];
}

export type Line = Pick<TimelineEntry, 'kind' | 'rule' | 'text'> & {
  data?: TimelineEntry['data'];
  attention?: AttentionChange;
};

export function quiet(state: ReservationState): Step {
  return { state, entries: [] };
}

/** Adds one line; its number continues the reservation's. */
export function tell(step: Step, at: Instant, line: Line): Step {
  const seq = step.state.seq + 1;
  const { kind, rule, text, data = {}, attention } = line;
  const entry = { seq, at, kind, rule, text, data, ...(attention && { attention }) };
  return { state: { ...step.state, seq }, entries: [...step.entries, entry] };
}

/** Continues a step with another. */
export function follow(step: Step, next: (state: ReservationState) => Step): Step {
  const { state, entries } = next(step.state);
  return { state, entries: [...step.entries, ...entries] };
}
