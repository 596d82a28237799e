import {
  ActivityFailure,
  ApplicationFailure,
  patched,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { type AttemptId, argumentNotReadType } from '../../src/contract/attempt.js';
import { type HeldBack, notStartedCode, type Unknown } from '../../src/domain/shared/outcome.js';

/** @param attempt distinguishes this attempt from the others of the command, also those of later runs */
export function attemptId(command: string, attempt: string): AttemptId {
  return { command, attempt, originalRunId: workflowInfo().originalExecutionRunId };
}

/**
 * How one attempt ended, also where its activity failed. One that no worker began, that a worker of another release does not know, or whose
 * argument a worker could not decrypt while the database was down, or without a key, was certainly not sent: it is held back, and the workflow
 * decides again. After any other failure, also one caused by an operator, it may have been sent.
 * @param outcomeOf reads what the activity returned
 */
export async function endOf<A, O>(
  sending: () => Promise<A>,
  outcomeOf: (attempt: A) => O,
): Promise<O | HeldBack | Unknown> {
  try {
    return outcomeOf(await sending());
  } catch (error) {
    const cause = error instanceof ActivityFailure ? error.cause : error;
    if (cause instanceof ApplicationFailure && wasNotBegun(cause)) {
      return { outcome: 'held-back', code: notStartedCode };
    }
    if (!(cause instanceof TimeoutFailure)) {
      const code = cause instanceof ApplicationFailure ? 'ATTEMPT_FAILED' : 'ATTEMPT_LOST';
      return { outcome: 'unknown', code };
    }
    return cause.timeoutType === 'SCHEDULE_TO_START'
      ? { outcome: 'held-back', code: notStartedCode }
      : { outcome: 'unknown', code: 'TIMEOUT' };
  }
}

/**
 * Whether the next attempt has the id of this one, because nothing recorded it. Another id would let a run that was reset send what the
 * earlier run has sent. In a history from before 0.4.0 each wait changed the id, and the next attempt may be recorded under that.
 */
export function keepsId(answer: object | HeldBack): boolean {
  if (!('outcome' in answer) || answer.outcome !== 'held-back') return false;
  const isUnrecorded = answer.code === notStartedCode || answer.keepsId === true;
  return isUnrecorded && patched('unrecorded-attempts-keep-their-id');
}

function wasNotBegun({ type, message }: ApplicationFailure): boolean {
  if (type === argumentNotReadType) return true;
  return isUnknownToItsWorker(type, message) && patched('unknown-activities-were-not-sent');
}

/** As the SDK's worker answers for an activity that it does not have. */
function isUnknownToItsWorker(type: string | null | undefined, message: string): boolean {
  return type === 'NotFoundError' && message.includes('is not registered on this Worker');
}
