import { earliestStatus } from '../../domain/reservation/actions.js';
import type { Action, Refusal } from '../../domain/reservation/index.js';
import * as texts from '../../domain/reservation/messages/index.js';
import { isTerminal, rank } from '../../domain/reservation/statuses.js';
import type { RecentView } from '../../temporal/client/reservations/types.js';

/**
 * L20 for a photo before its bytes are read: refuses what no override could send, by the view alone. A repeat of
 * a known command is never hopeless (L21); all else is the update's validator's to decide.
 */
export function hopeless(
  { status, commands }: RecentView,
  action: Action,
  commandId: string,
): Refusal | null {
  const { code } = status;
  if (code === null || commands.some((known) => known.commandId === commandId)) return null;
  if (isTerminal(code)) return texts.terminal(action, code);
  return rank(code) > rank(earliestStatus(action)) ? texts.past(action, code) : null;
}
