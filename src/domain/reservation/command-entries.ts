import { targetOf } from './actions.js';
import * as texts from './messages/index.js';
import type { CommandRecord, ReservationState } from './state.js';
import type { NewEntry } from './timeline.js';
import type { Answer, Refusal } from './types.js';

/** The timeline's line about an attempt and what follows from it. */
export function answerEntry({ policy }: ReservationState, answer: Answer, after: CommandRecord): NewEntry {
  const { commandId, action, state, code, attempts, nextTryAt } = after;
  return {
    kind: 'command',
    rule: ruleOf(answer, after),
    text: texts.attempted(answer, after, policy.zoneOffsetMinutes),
    data: { commandId, action, outcome: state, code, attempts, nextTryAt },
  };
}

function ruleOf(answer: Answer, { state, nextTryAt, action }: CommandRecord): string {
  if (answer.outcome === 'applied') return 'L22';
  if (answer.outcome === 'rejected' && state === 'rejected') return 'L23';
  if (answer.outcome !== 'unknown' || nextTryAt !== null) return 'L30';
  return targetOf(action) === null ? 'L25' : 'L24';
}

/** Why a command ends without being sent, or sent again. */
export interface Obstacle {
  code: Refusal['code'] | 'TIME_OVER';
  message: string;
}

/** The line about a command that ends at its turn (L20, L28, L30). */
export function givenUpEntry(
  { commandId, action, attempts }: CommandRecord,
  outcome: 'rejected' | 'unknown',
  { code, message }: Obstacle,
): NewEntry {
  return {
    kind: 'command',
    rule: code === 'TIME_OVER' ? 'L30' : code === 'RESERVATION_TERMINAL' ? 'L28' : 'L20',
    text: texts.givenUp(action, outcome, message),
    data: { commandId, action, outcome, code, attempts },
  };
}
