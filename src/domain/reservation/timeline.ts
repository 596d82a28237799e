import type { Message } from '../shared/message.js';
import type { Instant } from '../shared/time.js';
import { englishText } from './messages/entry-text.js';
import type { ReservationState } from './state.js';
import type { AttentionChange, TimelineEntry } from './types.js';

/** What a decision leaves behind: the next state, and the new timeline entries. */
export interface Step {
  state: ReservationState;
  entries: TimelineEntry[];
}

export type NewEntry = Pick<TimelineEntry, 'kind' | 'rule'> & {
  messages: Message[];
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
  const entry = toEntry(added, seq, at, step.state.policy.zoneOffsetMinutes);
  return { state: { ...step.state, seq }, entries: [...step.entries, entry] };
}

/** The entry with its English text. */
export function toEntry(
  { kind, rule, messages, data = {}, attention }: NewEntry,
  seq: number,
  at: Instant,
  zoneOffsetMinutes: number,
): TimelineEntry {
  const text = englishText(messages, zoneOffsetMinutes);
  return { seq, at, kind, rule, messages, text, data, ...(attention && { attention }) };
}

/** Continues a step with another. */
export function follow(step: Step, next: (state: ReservationState) => Step): Step {
  const { state, entries } = next(step.state);
  return { state, entries: [...step.entries, ...entries] };
}
