import { ActivityFailure, type ActivityInterfaceFor, log, sleep } from '@temporalio/workflow';
import { type Activity, backoff, jitter } from './backoff.js';

const firstWaitMs = 1_000;
const longestWaitMs = 5 * 60_000;
/** For an hour and more; then the failure is the workflow's. */
const triesAtMost = 20;

/** Where somebody waits for the workflow's answer. True: the first try of an activity has failed; false: it is done. */
export type OnDelay = (isDelayed: boolean) => void;
/** The first try then: nobody waits longer for a database that gives no answer. */
const once = { startToCloseTimeout: '2s', retry: { maximumAttempts: 1 } } as const;

/**
 * Activities that Temporal tries until they succeed, with backoff and jitter. One that ends with a failure all the same (an
 * operator failed it) is asked for again, ever more rarely: what waits for it neither fails nor blocks its workflow.
 *
 * @param onDelay the first try is a single one of two seconds then, and its failure is reported
 */
export function persistent<A extends object>(
  proxy: ActivityInterfaceFor<A>,
  onDelay?: OnDelay,
): ActivityInterfaceFor<A> {
  return new Proxy(proxy, {
    get(target, name: string & keyof typeof target) {
      const activity = target[name] as unknown as Activity;
      const again = (options: object, args: unknown[]) =>
        untilDone(name, (policy) => activity.executeWithOptions({ ...options, ...policy }, args), onDelay);
      return Object.assign((...args: unknown[]) => again({}, args), { executeWithOptions: again });
    },
  });
}

async function untilDone(
  name: string,
  call: (policy: object) => Promise<unknown>,
  onDelay: OnDelay | undefined,
): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    try {
      const done = await call(tries === 1 && onDelay !== undefined ? once : { retry: backoff() });
      if (tries > 1) onDelay?.(false);
      return done;
    } catch (error) {
      if (!(error instanceof ActivityFailure) || tries === triesAtMost) throw error;
      log.warn('an activity failed; it is tried again', { activity: name, tries });
      onDelay?.(true);
      const waitMs = Math.min(firstWaitMs * 2 ** (tries - 1), longestWaitMs) * jitter();
      await sleep(Math.round(waitMs), { summary: `${name} again` });
    }
  }
}
