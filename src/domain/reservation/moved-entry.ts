import type { Instant } from '../shared/time.js';
import type { Belief } from './belief.js';
import { moves } from './moves.js';
import type { ReservationState } from './state.js';
import type { NewEntry } from './timeline.js';

/** The entry of a decision, ended with what it changed in what is believed. */
export function movedEntry(
  entry: NewEntry,
  state: ReservationState,
  before: Belief,
  after: Belief,
  now: Instant,
): NewEntry {
  const moved = moves(state, before, after, now);
  return {
    ...entry,
    messages: [...entry.messages, ...moved.messages],
    data: { ...entry.data, ...moved.data },
  };
}
