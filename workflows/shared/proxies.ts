import {
  type ActivityInterfaceFor,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  Activities,
  BookingActivities,
  RoleActivities,
  ScanActivities,
} from '../../src/contract/activities.js';
import { startWithinMs } from '../../src/contract/attempt.js';
import { databaseQueueOf, scanQueueOf } from '../../src/contract/names.js';
import type { ReconciliationActivities, SliceActivity } from '../../src/contract/reconciliation.js';
import type { ActionOperation } from '../../src/domain/reservation/index.js';
import { type OnDelay, onQueue, retryUntilDone, withBackoff } from './retried-activities.js';

type PlatformCall =
  | ActionOperation
  | 'book'
  | 'probeRole'
  | 'addCarMemo'
  | 'findCarMemo'
  | 'setSaleStatus'
  | 'findSaleStatus'
  | 'readCar'
  | 'addSchedule'
  | 'changeSchedule'
  | 'deleteSchedule'
  | 'getSchedule';

/**
 * Calls of the platform. One attempt each: the history is the record of attempts, and the workflow alone decides
 * on the next (L24, L30). The limit is the client's deadline of 10 s plus 2 s.
 */
export const platform = proxyActivities<Pick<Activities, PlatformCall>>({
  scheduleToStartTimeout: startWithinMs,
  startToCloseTimeout: '12s',
  retry: { maximumAttempts: 1 },
});

/** Several requests, one after the other; the reservation repeats one that failed (F64). */
export const lookAheads = proxyActivities<Pick<Activities, 'lookAhead'>>({
  startToCloseTimeout: '75s',
  retry: { maximumAttempts: 1 },
});

/** Short writes to our own database, tried once: they hold the workflow task, and with it every update and query. */
export const database = proxyLocalActivities<Pick<Activities, 'record' | 'closeCase'>>({
  startToCloseTimeout: '2s',
  scheduleToCloseTimeout: '2s',
  retry: { maximumAttempts: 1 },
});

const onDatabaseQueue = <A extends object>(proxy: ActivityInterfaceFor<A>) => onQueue(databaseQueueOf, proxy);

/** The same writes where the first try failed: retried beside everything else until they succeed. */
export const retriedDatabase = withBackoff(
  onDatabaseQueue(proxyActivities<Pick<Activities, 'record' | 'closeCase'>>({ startToCloseTimeout: '10s' })),
);

/** Reports a suspended role and its end: retried until it succeeds. */
export const roles = retryUntilDone(
  onDatabaseQueue(proxyActivities<RoleActivities>({ startToCloseTimeout: '30s' })),
);

/**
 * Stores and resolves bookings: retried until it succeeds, also while the database is down.
 * @param onDelay for the callers that wait for a booking
 */
export function bookings(onDelay: OnDelay) {
  const proxy = proxyActivities<BookingActivities>({ startToCloseTimeout: '30s' });
  return retryUntilDone(onDatabaseQueue(proxy), onDelay);
}

/**
 * Writes audit entries: retried until it succeeds, also while the database is down.
 * @param onDelay where a request waits for the answer
 */
export function auditActivities(onDelay?: OnDelay) {
  const proxy = proxyActivities<Pick<Activities, 'audit'>>({ startToCloseTimeout: '10s' });
  return retryUntilDone(onDatabaseQueue(proxy), onDelay);
}

/** Alerts operations. A regular activity: it runs only for a workflow task that Temporal recorded. */
export const operations = withBackoff(
  onDatabaseQueue(
    proxyActivities<Pick<Activities, 'postAttention'>>({
      startToCloseTimeout: '10s',
      scheduleToCloseTimeout: '1m',
    }),
  ),
);

/**
 * The row of a hold, tried once: its loop waits for it. On the queue of workflows, where it starts with its workflow task: lists show
 * what a person has just done. Where calls of the platform have all slots, the retried write takes its place.
 */
export const holdRow = proxyActivities<Pick<Activities, 'recordHold'>>({
  scheduleToStartTimeout: '1s',
  startToCloseTimeout: '2s',
  retry: { maximumAttempts: 1 },
});

/** The same write where the first try failed: retried beside everything else until it succeeds. */
export const retriedHoldRow = retryUntilDone(
  onDatabaseQueue(proxyActivities<Pick<Activities, 'recordHold'>>({ startToCloseTimeout: '10s' })),
);

/** Reads whose turn it is among the holds of one car: the hold's loop waits for it, and repeats it. Then it calls the platform. */
export const holdTurns = proxyActivities<Pick<Activities, 'holdBefore'>>({
  startToCloseTimeout: '2s',
  retry: { maximumAttempts: 1 },
});

/** Reads of a long scan, on the queue that paces them. A function, because the queue is known only inside a workflow. */
export const scans = () =>
  withBackoff(
    proxyActivities<ScanActivities>({
      taskQueue: scanQueueOf(workflowInfo().taskQueue),
      startToCloseTimeout: '30s',
    }),
  );

/** One request each of a reading of the platform's schedule, on the same queue: 45 s for the platform, then the rows. */
export const slices = () =>
  withBackoff(
    proxyActivities<SliceActivity>({
      taskQueue: scanQueueOf(workflowInfo().taskQueue),
      startToCloseTimeout: '80s',
    }),
  );

/** Work over whole fleets in our own database and Temporal: retried until it succeeds. */
export const reconciling = withBackoff(
  onDatabaseQueue(
    proxyActivities<ReconciliationActivities>({ startToCloseTimeout: '5m', heartbeatTimeout: '30s' }),
  ),
);
