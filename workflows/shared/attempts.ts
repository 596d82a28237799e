import { ActivityFailure, ApplicationFailure, TimeoutFailure, workflowInfo } from '@temporalio/workflow';
import { type AttemptId, argumentNotReadType } from '../../src/contract/attempt.js';
import { type HeldBack, notStartedCode, type Unknown } from '../../src/domain/shared/outcome.js';

/** @param attempt distinguishes this attempt from the others of the command, also those of later runs */
export function attemptId(command: string, attempt: string): AttemptId {
  return { command, attempt, originalRunId: workflowInfo().originalExecutionRunId };
}

/**
 * How one attempt ended, also where its activity failed. One that no worker began, or whose argument a worker could not
 * decrypt while the database was down, or without a key, was certainly not sent: it is held back, and the workflow decides again. After any other failure, also one caused by an operator, it may have been sent.
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
    if (cause instanceof ApplicationFailure && cause.type === argumentNotReadType) {
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
