import { earliestStatus } from '../../domain/reservation/actions.js';
import type { Action, Refusal } from '../../domain/reservation/index.js';
import * as refusals from '../../domain/reservation/refusals.js';
import { isTerminal, rank } from '../../domain/reservation/statuses.js';
import type { RecentView } from '../../temporal/client/reservations/types.js';

/**
 * L20 for a photo before its bytes are read: by the view alone, refuses an action that no override could send. Never
 * refuses a repeat of a known command (L21); the update's validator decides everything else.
 */
export function refuseEarly(
  { status, commands }: RecentView,
  action: Action,
  commandId: string,
): Refusal | null {
  const { code } = status;
  if (code === null || commands.some((known) => known.commandId === commandId)) return null;
  if (isTerminal(code)) return refusals.terminal(action, code);
  return rank(code) > rank(earliestStatus(action)) ? refusals.past(action, code) : null;
}
