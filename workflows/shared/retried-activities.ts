import {
  ActivityFailure,
  type ActivityInterfaceFor,
  log,
  patched,
  sleep,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { type Backoff, backoffMs } from '../../src/domain/shared/backoff.js';
import { jitter, retryPolicy } from './backoff.js';

/** The wait before an activity is called again that failed for good, although Temporal retries it. */
const pauses: Readonly<Backoff> = { firstMs: 1_000, longestMs: 5 * 60_000 };
/** More than an hour of calls; after that the workflow fails. */
const callsAtMost = 20;

/** Called with true when the first try of an activity has failed, and with false once it has succeeded after that. */
export type OnDelay = (isDelayed: boolean) => void;
/** The first try where a caller waits: two seconds at most for a database that gives no answer. */
const once = { startToCloseTimeout: '2s', retry: { maximumAttempts: 1 } } as const;

const startsWithin = '30s';
const startsOnQueue = 2;

/**
 * Activities that wait on a queue of their own, whose workers have slots of their own. A queue that starts nothing for so long is
 * full, or unserved: workers of a release before 0.4.0 know the queue of workflows alone. So a call waits there twice before it
 * goes to the queue of the workflow, where it would take a slot of the calls of the platform.
 * @param queueOf names the queue beside that of a workflow
 */
export function onQueue<A extends object>(
  queueOf: (queue: string) => string,
  proxy: ActivityInterfaceFor<A>,
): ActivityInterfaceFor<A> {
  return interceptCalls(proxy, (name, options, call) => {
    // a call of 0.3.0 is made as it was then: an `await` more would change the order of what follows it and a timer of the same task
    if (!patched('queues-of-their-own')) return call(options);
    const taskQueue = queueOf(workflowInfo().taskQueue);
    return callOnQueue(
      name,
      () => call({ taskQueue, scheduleToStartTimeout: startsWithin, ...options }),
      () => call(options),
    );
  });
}

async function callOnQueue(
  name: string,
  onItsQueue: () => Promise<unknown>,
  onQueueOfWorkflow: () => Promise<unknown>,
): Promise<unknown> {
  for (let starts = 1; starts <= startsOnQueue; starts++) {
    try {
      return await onItsQueue();
    } catch (error) {
      if (!isNotStarted(error)) throw error;
      log.warn('an activity was not started on its queue within 30 s', { activity: name, starts });
    }
  }
  return onQueueOfWorkflow();
}

function isNotStarted(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START';
}

/** Activities that Temporal retries with backoff and jitter, unless a call has a policy of its own. */
export function withBackoff<A extends object>(proxy: ActivityInterfaceFor<A>): ActivityInterfaceFor<A> {
  return interceptCalls(proxy, (_name, options, call) => call({ retry: retryPolicy(), ...options }));
}

/**
 * The same, and an activity that fails for good (an operator failed it) is called again at growing intervals, so that its
 * workflow does not fail.
 *
 * @param onDelay where it is given, the first call is a single try of two seconds, and its failure is reported
 */
export function retryUntilDone<A extends object>(
  proxy: ActivityInterfaceFor<A>,
  onDelay?: OnDelay,
): ActivityInterfaceFor<A> {
  return interceptCalls(proxy, (name, options, call) =>
    callUntilDone(name, (policy) => call({ ...options, ...policy }), onDelay),
  );
}

async function callUntilDone(
  name: string,
  call: (policy: object) => Promise<unknown>,
  onDelay: OnDelay | undefined,
): Promise<unknown> {
  for (let calls = 1; ; calls++) {
    try {
      const done = await call(calls === 1 && onDelay !== undefined ? once : { retry: retryPolicy() });
      if (calls > 1) onDelay?.(false);
      return done;
    } catch (error) {
      if (!(error instanceof ActivityFailure) || calls === callsAtMost) throw error;
      log.warn('an activity failed; it is tried again', { activity: name, tries: calls });
      onDelay?.(true);
      await sleep(backoffMs(calls, pauses, jitter()), { summary: `${name} again` });
    }
  }
}

/** A member of a proxy of activities. */
interface Activity {
  executeWithOptions(options: object, args: unknown[]): Promise<unknown>;
}
type Caller = (
  name: string,
  options: object,
  call: (options: object) => Promise<unknown>,
) => Promise<unknown>;

/** The same activities; every call of one goes through `caller`. */
function interceptCalls<A extends object>(
  proxy: ActivityInterfaceFor<A>,
  caller: Caller,
): ActivityInterfaceFor<A> {
  return new Proxy(proxy, {
    get(target, name: string & keyof typeof target) {
      const activity = target[name] as unknown as Activity;
      const execute = (options: object, args: unknown[]) =>
        caller(name, options, (all) => activity.executeWithOptions(all, args));
      return Object.assign((...args: unknown[]) => execute({}, args), { executeWithOptions: execute });
    },
  });
}
