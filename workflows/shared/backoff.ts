import { type RetryPolicy, workflowInfo } from '@temporalio/workflow';
import { type Backoff, backoffMs } from '../../src/domain/shared/backoff.js';
import { fraction } from '../../src/domain/shared/hash.js';

/** The intervals at which Temporal retries an activity. */
const retries: Readonly<Backoff> = { firstMs: 1_000, longestMs: 30_000 };

/** A number between 1 and 2 that differs by workflow and moment, and is the same in a replay. */
export function jitter(): number {
  return 1 + fraction(`${workflowInfo().workflowId}:${Date.now()}`);
}

/**
 * How Temporal retries an activity: after 1 to 2 s first, every 30 to 60 s at last. Workflows whose activities failed at
 * the same moment do not come back at the same moment.
 */
export function retryPolicy(): RetryPolicy {
  const factor = jitter();
  return {
    initialInterval: backoffMs(1, retries, factor),
    backoffCoefficient: 2,
    maximumInterval: Math.round(retries.longestMs * factor),
  };
}
