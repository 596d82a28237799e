import { waitsFor } from '../shared/outcome.js';
import { targetOf } from './actions.js';
import type { AttemptEnd } from './messages/en/commands.js';
import { message } from './messages/message.js';
import type { CommandRecord } from './state.js';
import type { NewEntry } from './timeline.js';
import type { Answer, Refusal } from './types.js';

/** The entry about an attempt and what follows from it. */
export function answerEntry(answer: Answer, after: CommandRecord): NewEntry {
  const { commandId, action, state, code, attempts, nextTryAt, doubtful } = after;
  const end = endOf(answer, after);
  return {
    kind: 'command',
    rule: ruleOf(answer, after),
    messages: [message('command.attempted', { action, end, code, doubtful, attempt: attempts, nextTryAt })],
    data: { commandId, action, outcome: state, code, attempts, nextTryAt },
  };
}

function endOf(answer: Answer, { action, state, role, nextTryAt }: CommandRecord): AttemptEnd {
  switch (answer.outcome) {
    case 'applied':
      return answer.unparsed ? 'unreadable' : 'applied';
    case 'rejected':
      return state === 'rejected' ? 'rejected' : 'refused-late';
    case 'held-back': {
      const reason = waitsFor(answer.code);
      if (reason === 'handover') return 'not-sent';
      if (reason !== 'key') return 'not-accepted';
      return role === null ? 'forbidden' : 'no-key';
    }
    case 'unknown':
      if (nextTryAt !== null) return 'unknown';
      return targetOf(action) === null ? 'unknown-once' : 'unknown-too-late';
  }
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
  message: Refusal['message'];
}

/** The entry about a command that ends at its turn (L20, L28, L30). */
export function givenUpEntry(
  { commandId, action, attempts }: CommandRecord,
  outcome: 'rejected' | 'unknown',
  { code, message: why }: Obstacle,
): NewEntry {
  return {
    kind: 'command',
    rule: code === 'TIME_OVER' ? 'L30' : code === 'RESERVATION_TERMINAL' ? 'L28' : 'L20',
    messages: [message('command.given-up', { action, outcome, why })],
    data: { commandId, action, outcome, code, attempts },
  };
}
