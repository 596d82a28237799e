import { type HeldBack, type Rejected, runLostCode, waitsFor, wrongStatusCode } from '../shared/outcome.js';
import type { Instant } from '../shared/time.js';
import { targetOf } from './actions.js';
import { reconcile } from './attention.js';
import { belief } from './belief.js';
import { cut } from './bounds.js';
import { answerEntry } from './command-entries.js';
import { applyCommand, close, putCommand, resolveByEvidence } from './command-outcome.js';
import { findCommand } from './guards.js';
import { message } from './messages/message.js';
import { movedEntry } from './moved-entry.js';
import { retryDeadline, retryWaitMs } from './retry.js';
import type { CommandRecord, ReservationState } from './state.js';
import { witness } from './status-evidence.js';
import { isKnownStatus } from './statuses.js';
import { addEntry, follow, type Step, stepTo } from './timeline.js';
import type { ActionAnswer, Answer } from './types.js';

/** Applies the platform's answer to the request that is out (L22-L25, L30); another answer changes nothing. */
export function applyAnswer(state: ReservationState, commandId: string, answer: Answer, now: Instant): Step {
  const record = findCommand(state, commandId);
  if (record?.state !== 'out') return stepTo(state);
  const next = applyOutcome(state, record, limitTexts(answer), now);
  const after = findCommand(next, commandId) ?? record;
  const entry = answerEntry(answer, after);
  const recorded = isOnceMore(record, after)
    ? stepTo(next)
    : addEntry(stepTo(next), now, movedEntry(entry, state, belief(state), belief(next), now));
  return follow(
    follow(recorded, (s) => resolveByEvidence(s, now)),
    (s) => reconcile(s, now),
  );
}

/** L30: a try that ends as the one before, and is followed by another, adds no entry: the first and the end do. */
function isOnceMore(before: CommandRecord, after: CommandRecord): boolean {
  return after.nextTryAt !== null && before.code === after.code;
}

/** Shortens texts of the platform, which may have any length. */
function limitTexts(answer: Answer): Answer {
  if (answer.outcome === 'applied') return answer;
  const code = cut(answer.code, codeLetters);
  if (answer.outcome !== 'rejected') return { ...answer, code };
  const { message: text, platformMessage } = answer;
  return {
    ...answer,
    code,
    message: cut(text, messageLetters),
    ...(platformMessage !== undefined && { platformMessage: cut(platformMessage, messageLetters) }),
  };
}
const codeLetters = 40;
const messageLetters = 500;

function applyOutcome(
  state: ReservationState,
  record: CommandRecord,
  answer: Answer,
  now: Instant,
): ReservationState {
  switch (answer.outcome) {
    case 'applied': {
      const code = answer.unparsed ? 'UNPARSED' : null;
      return learnStatus(
        applyCommand(state, record, { settledBy: 'answer', source: record.commandId, code }, now),
        record,
        answer,
        now,
      );
    }
    case 'rejected':
      return putCommand(state, closeRefused(record, answer, now));
    case 'held-back': {
      if (waitsFor(answer.code) === 'key') return putCommand(state, suspendCommand(record, answer, now));
      // `Retry-After: 0`, or a past date, means no wait: requests to a busy platform would follow each other without a pause
      const waitMs = answer.retryAfterMs || retryWaitMs(record.commandId, record.waits + 1, now - record.at);
      const nextTryAt = Math.min(now + waitMs, Math.max(retryDeadline(belief(state), record), now));
      return putCommand(state, { ...withdrawAttempt(record, 'waiting', answer), nextTryAt });
    }
    case 'unknown':
      return putCommand(state, closeUnknown(state, record, answer.code, now));
  }
}

/** The answer itself names the reservation's status (G16). */
function learnStatus(
  state: ReservationState,
  { commandId }: CommandRecord,
  { status }: ActionAnswer,
  now: Instant,
): ReservationState {
  if (status === undefined || !isKnownStatus(status)) return state;
  return witness(state, status, 'commanded', { source: commandId, at: now, changedAt: null });
}

/** L30: after an unknown attempt a refusal for the state may be the echo of our own success. */
function closeRefused(
  record: CommandRecord,
  { code, message: text, platformMessage }: Rejected,
  now: Instant,
): CommandRecord {
  const forState = code === wrongStatusCode;
  const why = { code, message: text, ...(platformMessage !== undefined && { platformMessage }) };
  if (forState && record.doubtful) return close(record, { state: 'unknown', settledBy: null, ...why }, now);
  const ended = close(record, { state: 'rejected', settledBy: 'answer', ...why }, now);
  return { ...ended, refusedForState: forState };
}

/** The request certainly had no effect: not counted, sent again. What was unknown before stays unknown. */
function withdrawAttempt(
  record: CommandRecord,
  outcome: 'waiting' | 'suspended',
  { code, keepsId }: HeldBack,
): CommandRecord {
  return {
    ...record,
    state: record.doubtful ? 'unknown' : outcome,
    attempts: record.attempts - 1,
    waits: record.waits + 1,
    ...(keepsId && { sameIds: (record.sameIds ?? 0) + 1 }),
    code,
  };
}

/**
 * L30: it waits until its role's key works. One that the platform still forbids although the key works is not
 * about the key: it ends.
 */
function suspendCommand(record: CommandRecord, answer: HeldBack, now: Instant): CommandRecord {
  const { code } = answer;
  const held = { ...withdrawAttempt(record, 'suspended', answer), role: 'held' as const };
  if (code !== 'FORBIDDEN' || record.role !== 'restored') return held;
  const outcome = record.doubtful ? 'unknown' : 'rejected';
  const why = message('command.forbidden', {});
  return close(held, { state: outcome, settledBy: 'answer', code, message: why }, now);
}

/**
 * L24, L25: a request that sets the state is sent again until its deadline; a photo or a staff assignment is not, nor what
 * another run may have sent.
 */
function closeUnknown(
  state: ReservationState,
  record: CommandRecord,
  code: string,
  now: Instant,
): CommandRecord {
  const { sameIds: _, ...before } = record;
  const unknown = close(before, { state: 'unknown', settledBy: null, code, message: null }, now);
  const planned = now + retryWaitMs(record.commandId, record.attempts, now - record.at);
  const again =
    code !== runLostCode &&
    targetOf(record.action) !== null &&
    planned < retryDeadline(belief(state), record);
  return { ...unknown, doubtful: true, waits: 0, nextTryAt: again ? planned : null };
}
