import { type ActivityInterfaceFor, type RetryPolicy, workflowInfo } from '@temporalio/workflow';
import { fraction } from '../../src/domain/shared/hash.js';

const firstWaitMs = 1_000;
const longestWaitMs = 30_000;

/** Between 1 and 2: another one for each workflow and moment, and the same one at a replay. */
export function jitter(): number {
  return 1 + fraction(`${workflowInfo().workflowId}:${Date.now()}`);
}

/**
 * How an activity is tried until it succeeds: again after 1 to 2 s, every 30 to 60 s at last. Workflows whose activities
 * failed at the same moment do not come back at the same moment.
 */
export function backoff(): RetryPolicy {
  const factor = jitter();
  return {
    initialInterval: Math.round(firstWaitMs * factor),
    backoffCoefficient: 2,
    maximumInterval: Math.round(longestWaitMs * factor),
  };
}

/** Activities that are tried with this backoff, unless a call has a policy of its own. */
export function withBackoff<A extends object>(proxy: ActivityInterfaceFor<A>): ActivityInterfaceFor<A> {
  return new Proxy(proxy, {
    get(target, name: string & keyof typeof target) {
      const activity = target[name] as unknown as Activity;
      const tried = (options: object, args: unknown[]) =>
        activity.executeWithOptions({ retry: backoff(), ...options }, args);
      return Object.assign((...args: unknown[]) => tried({}, args), { executeWithOptions: tried });
    },
  });
}

/** A member of a proxy of activities. */
export interface Activity {
  (...args: unknown[]): Promise<unknown>;
  executeWithOptions(options: object, args: unknown[]): Promise<unknown>;
}
