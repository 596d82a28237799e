import { ActivityFailure, ApplicationFailure, TimeoutFailure, workflowInfo } from '@temporalio/workflow';
import { type AttemptId, notStartedCode } from '../../src/contract/attempt.js';

/** @param attempt what tells this attempt from the others of the command, also in the runs that follow */
export function attemptId(command: string, attempt: string): AttemptId {
  return { command, attempt, originalRunId: workflowInfo().originalExecutionRunId };
}

/** An attempt that no worker began was certainly not sent: held back, and decided again. */
interface NotSent {
  kind: 'wait';
  code: string;
  retryAfterMs?: never;
}
/** Any other failure, also by an operator's hand: the request may have been sent. */
interface MayBeSent {
  kind: 'unknown';
  code: string;
}

/** What it means that an attempt's activity ended with a failure. */
export function failedAttempt(error: unknown): NotSent | MayBeSent {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof TimeoutFailure) {
    return cause.timeoutType === 'SCHEDULE_TO_START'
      ? { kind: 'wait', code: notStartedCode }
      : { kind: 'unknown', code: 'TIMEOUT' };
  }
  return { kind: 'unknown', code: cause instanceof ApplicationFailure ? 'ATTEMPT_FAILED' : 'ATTEMPT_LOST' };
}

/**
 * An attempt's end: an operator can complete an activity with any result, and one that nobody understands may have been
 * sent.
 */
export async function endOf<A extends { kind: string }>(
  kinds: readonly A['kind'][],
  sending: () => Promise<A>,
): Promise<A | NotSent | MayBeSent> {
  try {
    const end: A | null | undefined = await sending();
    return kinds.includes(end?.kind ?? '') ? (end as A) : { kind: 'unknown', code: 'ATTEMPT_FAILED' };
  } catch (error) {
    return failedAttempt(error);
  }
}
