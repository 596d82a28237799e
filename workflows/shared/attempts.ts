import { ActivityFailure, ApplicationFailure, TimeoutFailure, workflowInfo } from '@temporalio/workflow';
import type { AttemptId } from '../../src/contract/attempt.js';
import { type HeldBack, notStartedCode, type Unknown } from '../../src/domain/shared/outcome.js';

/** @param attempt distinguishes this attempt from the others of the command, also in the runs that follow */
export function attemptId(command: string, attempt: string): AttemptId {
  return { command, attempt, originalRunId: workflowInfo().originalExecutionRunId };
}

/**
 * How one attempt ended, whatever became of its activity. One that no worker began was certainly not sent: held back, and
 * decided again. After any other failure, also by an operator's hand, the request may have been sent.
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
    if (!(cause instanceof TimeoutFailure)) {
      const code = cause instanceof ApplicationFailure ? 'ATTEMPT_FAILED' : 'ATTEMPT_LOST';
      return { outcome: 'unknown', code };
    }
    return cause.timeoutType === 'SCHEDULE_TO_START'
      ? { outcome: 'held-back', code: notStartedCode }
      : { outcome: 'unknown', code: 'TIMEOUT' };
  }
}
