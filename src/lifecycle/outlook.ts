import { belief } from './belief.js';
import { details } from './details.js';
import { listFacts } from './list-facts.js';
import type { ReservationState } from './state.js';
import type { Instant, ListFacts } from './types.js';
import { isClosed, nextDeadline } from './wake.js';

/** What a run shows and waits for once it has done all that was due. */
export interface Outlook {
  /** Markdown for Temporal UI. */
  details: string;
  facts: ListFacts;
  nextDeadline: Instant | null;
  closed: boolean;
}

/** Everything a run asks of one state, from one derivation of what is believed. */
export function outlook(state: ReservationState, now: Instant): Outlook {
  const what = belief(state);
  return {
    details: details(state, now, what),
    facts: listFacts(state, what),
    nextDeadline: nextDeadline(state, what),
    closed: isClosed(state, now, what),
  };
}
