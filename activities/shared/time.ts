import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { startWithinMs } from '../../src/contract/attempt.js';
import { pendingActivityStart } from '../../src/temporal/client/activities.js';

/** Between the end of an activity's last wait and its timeout on the server. */
const marginMs = 1_000;
/** An activity that arrives within this of being scheduled cannot have timed out. */
const freshMs = 3_000;
/** The largest difference of clocks that are set over the network. */
const clocksMs = 250;

/** The time of one activity. Everything that it waits for shares it. */
export interface ActivityTime {
  /** Instant by which the activity has to be over. */
  until: number;
  /** Instant at which it began here. */
  begunAt: number;
  /** Instant at which it was scheduled, by the server's clock; by this one where it is known that they differ. */
  scheduledAt: number;
}

/** For an activity that only reads: one that runs too late does no harm. */
export function activityTime(): ActivityTime {
  const { currentAttemptScheduledTimestampMs, startToCloseTimeoutMs } = activityInfo();
  const begunAt = Date.now();
  const ageMs = Math.max(begunAt - currentAttemptScheduledTimestampMs, 0);
  return {
    until: begunAt + startToCloseTimeoutMs - marginMs - Math.min(ageMs, freshMs),
    begunAt,
    scheduledAt: currentAttemptScheduledTimestampMs,
  };
}

/** What a read of the platform takes, so that it ends before its activity times out. */
export function readOptions(): { signal: AbortSignal; until: number } {
  return { signal: cancellationSignal(), until: activityTime().until };
}

/**
 * For an activity that changes something on the platform. A worker that was frozen (SIGSTOP, a paused container) gets
 * activities that the server has timed out meanwhile, and decided on: where it is not certain that the workflow still
 * waits for this one, it reads that from the server.
 * @returns null where it does not wait, or the server gave no answer; where clocks differ, it was scheduled as long ago as is possible
 */
export async function confirmedTime(
  client: Pick<Client, 'workflow' | 'withDeadline'>,
  time: ActivityTime,
): Promise<ActivityTime | null> {
  const { begunAt, scheduledAt } = time;
  const isAhead = scheduledAt > begunAt + clocksMs;
  if (!isAhead && begunAt - scheduledAt <= freshMs) return time;
  const { activityId, startToCloseTimeoutMs, workflowExecution } = activityInfo();
  if (workflowExecution === undefined) return null;
  const activity = { ...workflowExecution, activityId };
  const startedAt = await pendingActivityStart(client, activity).catch(() => null);
  if (startedAt === null) return null;
  const runsMs = Date.now() - startedAt;
  const areClocksAlike = !isAhead && runsMs >= 0 && runsMs < startToCloseTimeoutMs;
  return areClocksAlike
    ? { until: startedAt + startToCloseTimeoutMs - marginMs, begunAt, scheduledAt }
    : {
        until: begunAt + startToCloseTimeoutMs - marginMs,
        begunAt,
        scheduledAt: begunAt - startWithinMs,
      };
}
