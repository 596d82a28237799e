import { stamp } from '../shared/time.js';
import { findCommand } from './guards.js';
import type { CommandRecord, ReservationState } from './state.js';
import type { CommandState, CommandView } from './types.js';

/** A command as the view shows it. */
export function commandOf(state: ReservationState, record: CommandRecord): CommandView {
  const { commandId, action, by, settledBy, resolvedBy, code, message, platformMessage, attempts, override } =
    record;
  const at = stamp(record.at, state.policy.zoneOffsetMinutes);
  const settledAt =
    record.settledAt === null ? null : stamp(record.settledAt, state.policy.zoneOffsetMinutes);
  return {
    commandId,
    action,
    outcome: record.state,
    by,
    at,
    settledAt,
    settledBy,
    ...(resolvedBy !== undefined && { resolvedBy }),
    code,
    message,
    ...(platformMessage !== undefined && { platformMessage }),
    attempts,
    override,
  };
}

/** The command with this id as it stands, or null where none is known. */
export function knownCommand(state: ReservationState, commandId: string): CommandView | null {
  const record = findCommand(state, commandId);
  return record === undefined ? null : commandOf(state, record);
}

/**
 * The command with this id as it stands.
 *
 * @throws where no such command was accepted: a caller's mistake.
 */
export function commandView(state: ReservationState, commandId: string): CommandView {
  const known = knownCommand(state, commandId);
  if (known === null) throw new Error(`no command ${commandId} on reservation ${state.reservationId}`);
  return known;
}

/** Whether a command has been answered at least once: its caller can receive its state. */
export function isAnswered(outcome: CommandState): boolean {
  return outcome !== 'queued' && outcome !== 'out';
}
