import type { AuditData } from '../shared/audit.js';
import type { Sentence } from '../shared/message.js';
import { hour, type Instant, minute, second } from '../shared/time.js';
import type { HoldAuditEntry, HoldCommand, HoldRefused, HoldState, Topic, Trouble } from './types.js';

const mostStoredCommands = 32;
const distancesMs = [5 * second, 15 * second, minute, 5 * minute, 15 * minute] as const;
/** People are shown what failed this often. */
export const shownFrom = 3;
/** A request whose answer was lost may still arrive: the second look comes later than any deadline. */
export const firstReadMs = 2 * second;
export const secondReadMs = 15 * second;

/** F12: another failure on a topic; it is tried again ever more rarely, an hour apart at most. */
export function withTrouble(
  state: HoldState,
  topic: Topic,
  failed: { code: string; message: Sentence; forPeople?: boolean; againInMs?: number },
  now: Instant,
): HoldState {
  const before = state.troubles[topic];
  const tries = Math.max((before?.tries ?? 0) + 1, failed.forPeople === true ? shownFrom : 0);
  const trouble: Trouble = {
    code: failed.code,
    message: failed.message,
    since: before?.since ?? now,
    tries,
    nextAt: failed.forPeople === true ? null : now + (failed.againInMs ?? distancesMs[tries - 1] ?? hour),
  };
  return { ...state, troubles: { ...state.troubles, [topic]: trouble } };
}

export function withoutTrouble(state: HoldState, topic: Topic): HoldState {
  if (state.troubles[topic] === undefined) return state;
  const { [topic]: _, ...troubles } = state.troubles;
  return { ...state, troubles };
}

/** When a topic's next try is due: at any time without a trouble, never by itself where a person decides. */
export function dueAt(state: HoldState, topic: Topic): Instant {
  const trouble = state.troubles[topic];
  if (trouble === undefined) return Number.NEGATIVE_INFINITY;
  return trouble.nextAt ?? Number.POSITIVE_INFINITY;
}

export function withCommand(state: HoldState, command: HoldCommand): HoldState {
  return { ...state, commands: [...state.commands, command].slice(-mostStoredCommands) };
}

/** F17: who did what, with its outcome; stored once. */
export function withAuditEntry(state: HoldState, entry: Omit<HoldAuditEntry, 'seq'>): HoldState {
  const seq = state.audited + 1;
  return { ...state, audited: seq, audit: [...state.audit, { seq, ...entry }] };
}

/** The outcome of a request, which may be long ago; known once, it stays. */
export function concludeCommand(
  state: HoldState,
  commandId: string | null,
  {
    outcome,
    refused = null,
    ...facts
  }: {
    outcome: 'applied' | 'rejected';
    refused?: HoldRefused | null;
    at: Instant;
    data: AuditData;
  },
): HoldState {
  const command = commandOf(state, commandId);
  if (command?.outcome !== 'out') return state;
  const ended = { ...command, outcome, refused };
  const commands = state.commands.map((one) => (one === command ? ended : one));
  return withAuditEntry(
    { ...state, commands },
    {
      ...facts,
      by: command.by,
      reason: command.reason,
      action: `hold.${command.action}`,
      subject: `hold/${state.request.holdId}`,
      data: {
        carId: state.request.carId,
        commandId: command.commandId,
        outcome,
        ...(refused !== null && { code: refused.code }),
        ...facts.data,
      },
    },
  );
}

function commandOf(state: HoldState, commandId: string | null): HoldCommand | undefined {
  return state.commands.find((command) => command.commandId === commandId);
}
