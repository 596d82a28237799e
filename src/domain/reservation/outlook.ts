import type { Instant } from '../shared/time.js';
import { belief } from './belief.js';
import { details } from './details.js';
import { listFacts } from './list-facts.js';
import { dueLookAhead, type LookAheadRequest } from './look-ahead.js';
import { type NoteToWrite, noteDue } from './recall-note.js';
import type { ReservationState } from './state.js';
import type { ListFacts } from './types.js';
import { isClosed, nextDeadline } from './wake.js';

/** What a run shows and waits for once it has done all that was due. */
export interface Outlook {
  /** Markdown for Temporal UI. */
  details: string;
  facts: ListFacts;
  nextDeadline: Instant | null;
  /** What comes after it is to be looked up. */
  lookAhead: LookAheadRequest | null;
  /** A memo is to be written. */
  note: NoteToWrite | null;
  closed: boolean;
}

/** Everything a run asks of one state, from one derivation of what is believed. */
export function outlook(state: ReservationState, now: Instant, what = belief(state)): Outlook {
  return {
    details: details(state, now, what),
    facts: listFacts(state, what),
    nextDeadline: nextDeadline(state, what),
    lookAhead: dueLookAhead(state, what),
    note: noteDue(state),
    closed: isClosed(state, now, what),
  };
}
