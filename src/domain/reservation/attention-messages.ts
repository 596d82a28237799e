import { ambiguousFacts, type Belief, missingFacts } from './belief.js';
import { type AttentionMessage, message } from './messages/message.js';
import { nextAtRisk } from './next-at-risk.js';
import type { ReservationState } from './state.js';
import type { AttentionKind } from './types.js';

/** What an item is about: the reservation, what is believed of it, and keys of the causes, such as ids of commands. */
export interface Subject {
  state: ReservationState;
  what: Belief;
  keys: readonly string[];
}

type Write<Kind extends AttentionKind> = (subject: Subject) => AttentionMessage<Kind>['data'];

/** What each sentence for the person who works with the reservation is made of. */
const dataOf: Readonly<{ [Kind in AttentionKind]: Write<Kind> }> = {
  'terminal-contradiction': ({ what }) => ({ pairs: what.status.contradictions }),
  conflict: ({ what }) => ({ pairs: what.status.conflicts }),
  'unknown-status': ({ state }) => ({ codes: state.unknownStatuses.map(({ code }) => code) }),
  ambiguous: ({ what }) => ({ facts: ambiguousFacts(what) }),
  'schedule-missing': (subject) => ({ carId: subject.what.facts.car?.value.id ?? null, ...start(subject) }),
  'schedule-differs': ({ state }) => ({ entry: state.scheduled?.entry ?? null }),
  incomplete: ({ what, state }) => ({ facts: missingFacts(what), booked: isOnlyBooked(state) }),
  'odd-period': nothing,
  'spec-violation': nothing,
  'dispatch-not-started': start,
  'handover-late': start,
  'callback-overdue': end,
  'return-late': end,
  'next-in-danger': ({ state, what }) => {
    const atRisk = nextAtRisk(state, what);
    if (atRisk === null) return { atRisk };
    const { next, isLate, candidates, at } = atRisk;
    return { atRisk: { next, isLate, candidates, at } };
  },
  'recall-overdue': nothing,
  'not-announced': nothing,
  'command-unknown': nothing,
  'note-not-kept': nothing,
  'retrieve-car': ({ keys }) => ({ cancelled: keys.includes('40') }),
};

/** The sentence of one attention item, from what is believed now. */
export function attentionMessage(kind: AttentionKind, subject: Subject): AttentionMessage {
  return message(`attention.${kind}`, dataOf[kind](subject)) as AttentionMessage;
}

/** L05, F36: the platform accepted our booking and has sent no callback about it. */
export function isOnlyBooked({ booking, arrivals }: ReservationState): boolean {
  return booking !== undefined && arrivals === 0;
}

function nothing() {
  return {};
}
function start({ what }: Subject) {
  return { start: what.facts.period?.value.start ?? null };
}
function end({ what }: Subject) {
  return { end: what.facts.period?.value.end ?? null };
}
