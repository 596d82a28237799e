import { reconcile } from './attention.js';
import { belief } from './belief.js';
import { contentOf, findCommand, missingSteps, notAllowed } from './guards.js';
import * as texts from './messages.js';
import { backoffMs, probeMs, retryDeadline } from './retry.js';
import {
  applied,
  close,
  putCommand,
  type Resolution,
  settleByEvidence,
  settleByPerson,
  urlBeforeSending,
} from './settlement.js';
import type { CommandRecord, ReservationState } from './state.js';
import { witness } from './status-evidence.js';
import { isKnownStatus } from './statuses.js';
import { follow, quiet, type Step, tell } from './timeline.js';
import type { Action, Answer, Command, CommandBody, CommandState, Instant } from './types.js';
import { targetOf } from './watches.js';

/** One request to send. */
export interface Attempt {
  commandId: string;
  action: Action;
  body: CommandBody;
  /** 1 for the first. */
  number: number;
  /** Business identity, the same for every attempt: `reservationId:action:commandId`. */
  idempotencyKey: string;
}

/** Takes a command in after `decide` let it pass; a repeat changes nothing (L21). */
export function accept(state: ReservationState, command: Command, now: Instant): Step {
  if (findCommand(state, command.commandId) !== undefined) return quiet(state);
  const { commandId, action, body, by, override } = command;
  const record: CommandRecord = {
    commandId,
    action,
    content: contentOf(command),
    body,
    by,
    override: override ?? null,
    at: now,
    state: 'queued',
    attempts: 0,
    waits: 0,
    doubtful: false,
    refusedForState: false,
    nextTryAt: null,
    settledAt: null,
    settledBy: null,
    code: null,
    message: null,
    skipped: override === undefined ? [] : missingSteps(state, belief(state), action),
    urlBefore: null,
  };
  return tell(quiet(putCommand(state, record)), now, {
    kind: 'command',
    rule: override === undefined ? 'L20' : 'L27',
    text: texts.pressed(action, by, override !== undefined),
    data: { commandId, action, by, override: override !== undefined },
  });
}

/**
 * The next request to send, if the slot is free and one is due (L26). A command is checked again at its turn
 * (L20); one that is no longer allowed, or whose time is over, ends here and the next is looked at.
 */
export function dispatchNext(state: ReservationState, now: Instant): Step & { attempt: Attempt | null } {
  const due = state.commands.find((one) => isDue(one, now));
  if (due === undefined || state.commands.some((one) => one.state === 'out')) {
    return { ...quiet(state), attempt: null };
  }
  const obstacle = obstacleTo(state, due, now);
  if (obstacle === null) return send(state, due);
  const ended = giveUp(state, due, obstacle, now);
  const rest = dispatchNext(ended.state, now);
  return { ...follow(ended, () => rest), attempt: rest.attempt };
}

function isDue({ state, nextTryAt }: CommandRecord, now: Instant): boolean {
  return state === 'queued' || (nextTryAt !== null && nextTryAt <= now);
}

function obstacleTo(
  state: ReservationState,
  record: CommandRecord,
  now: Instant,
): { code: string; message: string } | null {
  const again = record.state !== 'queued';
  if (again && now >= retryDeadline(state, record)) return { code: 'TIME_OVER', message: texts.noMoreTries };
  return notAllowed(state, belief(state), record);
}

function send(state: ReservationState, record: CommandRecord): Step & { attempt: Attempt } {
  const { commandId, action, body } = record;
  const number = record.attempts + 1;
  const urlBefore =
    action === 'dispatch.parkingImage'
      ? record.doubtful
        ? record.urlBefore
        : urlBeforeSending(state)
      : null;
  const out: CommandRecord = { ...record, state: 'out', attempts: number, nextTryAt: null, urlBefore };
  const idempotencyKey = `${state.reservationId}:${action}:${commandId}`;
  const attempt = { commandId, action, body: body ?? {}, number, idempotencyKey };
  return { ...quiet(putCommand(state, out)), attempt };
}

/** What may have happened stays unknown; what certainly did not is rejected. */
function giveUp(
  state: ReservationState,
  record: CommandRecord,
  { code, message }: { code: string; message: string },
  now: Instant,
): Step {
  const outcome = record.doubtful ? 'unknown' : 'rejected';
  const ended = close(record, { state: outcome, settledBy: null, code, message }, now);
  const step = tell(quiet(putCommand(state, ended)), now, outcomeLine(record, outcome, code, 'L20'));
  return follow(step, (s) => reconcile(s, now));
}

function outcomeLine(record: CommandRecord, outcome: CommandState, code: string | null, rule: string) {
  const { commandId, action, attempts } = record;
  return {
    kind: 'command' as const,
    rule,
    text: texts.outcome(action, outcome, code),
    data: { commandId, action, outcome, code, attempts },
  };
}

/** Takes in how the platform answered the request that is out (L22-L25, L30); another answer changes nothing. */
export function answered(state: ReservationState, commandId: string, answer: Answer, now: Instant): Step {
  const record = findCommand(state, commandId);
  if (record?.state !== 'out') return quiet(state);
  const next = takeAnswer(state, record, answer, now);
  const { state: outcome, code } = findCommand(next, commandId) ?? record;
  const told = tell(quiet(next), now, outcomeLine(record, outcome, code, ruleOfOutcome[outcome]));
  return follow(
    follow(told, (s) => settleByEvidence(s, now)),
    (s) => reconcile(s, now),
  );
}

const ruleOfOutcome: Readonly<Record<CommandState, string>> = {
  queued: 'L26',
  out: 'L26',
  waiting: 'L30',
  suspended: 'L30',
  applied: 'L22',
  rejected: 'L23',
  unknown: 'L24',
};

function takeAnswer(
  state: ReservationState,
  record: CommandRecord,
  answer: Answer,
  now: Instant,
): ReservationState {
  switch (answer.kind) {
    case 'accepted': {
      const code = answer.unparsed ? 'UNPARSED' : null;
      return learnStatus(applied(state, record, { settledBy: 'answer', code }, now), record, answer, now);
    }
    case 'refused':
      return putCommand(state, refused(record, answer, now));
    case 'wait': {
      const waitMs = answer.retryAfterMs ?? backoffMs(record.commandId, record.waits + 1);
      return putCommand(state, notSent(record, 'waiting', answer.code, now + waitMs));
    }
    case 'suspended':
      return putCommand(state, notSent(record, 'suspended', answer.code, now + probeMs));
    case 'unknown':
      return putCommand(state, lost(state, record, answer.code, now));
  }
}

/** The answer itself names the reservation's status (G16). */
function learnStatus(
  state: ReservationState,
  { commandId }: CommandRecord,
  { status }: { status?: number },
  now: Instant,
): ReservationState {
  if (status === undefined || !isKnownStatus(status)) return state;
  return witness(state, status, 'commanded', { source: commandId, at: now, changedAt: null });
}

/** L30: after an unknown attempt a refusal for the state may be the echo of our own success. */
function refused(
  record: CommandRecord,
  { code, message, forState }: Extract<Answer, { kind: 'refused' }>,
  now: Instant,
): CommandRecord {
  if (forState && record.doubtful)
    return close(record, { state: 'unknown', settledBy: null, code, message }, now);
  const ended = close(record, { state: 'rejected', settledBy: 'answer', code, message }, now);
  return { ...ended, refusedForState: forState };
}

/** The request certainly had no effect: not counted, sent again. What was unknown before stays unknown. */
function notSent(
  record: CommandRecord,
  outcome: 'waiting' | 'suspended',
  code: string,
  nextTryAt: Instant,
): CommandRecord {
  return {
    ...record,
    state: record.doubtful ? 'unknown' : outcome,
    attempts: record.attempts - 1,
    waits: record.waits + 1,
    nextTryAt,
    code,
  };
}

/** L24, L25: a request that sets the state is sent again until its deadline; a photo or a staff assignment is not. */
function lost(state: ReservationState, record: CommandRecord, code: string, now: Instant): CommandRecord {
  const unknown = close(record, { state: 'unknown', settledBy: null, code, message: null }, now);
  const planned = now + backoffMs(record.commandId, record.attempts);
  const again = targetOf(record.action) !== null && planned < retryDeadline(state, record);
  return { ...unknown, doubtful: true, waits: 0, nextTryAt: again ? planned : null };
}

/** A person settles an unknown outcome, after `checkResolve` let it pass. */
export function resolveCommand(state: ReservationState, resolution: Resolution, now: Instant): Step {
  return follow(settleByPerson(state, resolution, now), (s) => reconcile(s, now));
}
