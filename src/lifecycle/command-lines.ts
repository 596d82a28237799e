import * as texts from './messages.js';
import type { CommandRecord } from './state.js';
import type { Line } from './timeline.js';
import type { CommandState } from './types.js';

/** The timeline's line about how a command stands. */
export function outcomeLine(
  record: CommandRecord,
  outcome: CommandState,
  code: string | null,
  rule: string,
): Line {
  const { commandId, action, attempts } = record;
  return {
    kind: 'command',
    rule,
    text: texts.outcome(action, outcome, code),
    data: { commandId, action, outcome, code, attempts },
  };
}
