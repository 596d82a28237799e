import { proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type {
  Activities,
  BookingActivities,
  RoleActivities,
  ScanActivities,
} from '../src/contract/activities.js';
import { scanQueueOf } from '../src/contract/names.js';
import type { ReconciliationActivities, SliceActivity } from '../src/contract/reconciliation.js';

/**
 * Calls of the platform. One attempt each: the history is the record of attempts, and the workflow alone decides
 * on the next (L24, L30). The limit is the client's deadline of 10 s plus 2 s.
 */
export const platform = proxyActivities<
  Omit<
    Activities,
    | 'record'
    | 'postAttention'
    | 'closeCase'
    | 'recordHold'
    | 'holdBefore'
    | 'audit'
    | 'lookAhead'
    | keyof RoleActivities
    | keyof BookingActivities
  >
>({
  startToCloseTimeout: '12s',
  retry: { maximumAttempts: 1 },
});

/** Several requests, one after the other; one that fails is asked for again by the reservation (F64). */
export const looks = proxyActivities<Pick<Activities, 'lookAhead'>>({
  startToCloseTimeout: '75s',
  retry: { maximumAttempts: 1 },
});

/** Short writes to our own database; they hold the workflow task, so nothing slow belongs here. */
export const database = proxyLocalActivities<Pick<Activities, 'record' | 'closeCase'>>({
  startToCloseTimeout: '5s',
  scheduleToCloseTimeout: '20s',
  retry: { initialInterval: '100ms', maximumAttempts: 3 },
});

/** What tells of a suspended role, and that it is over: tried until it succeeds. */
export const roles = proxyActivities<RoleActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '500ms', maximumInterval: '30s' },
});

/** What keeps and settles bookings: tried until it succeeds, also where the database is away. */
export const bookings = proxyActivities<BookingActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '500ms', maximumInterval: '30s' },
});

/** Who did what: tried until it is written, also where the database is away. */
export const trail = proxyActivities<Pick<Activities, 'audit'>>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '30s' },
});

/** Tells operations. A regular activity: it runs for what the history has, and never for a step that was taken back. */
export const operations = proxyActivities<Pick<Activities, 'postAttention'>>({
  startToCloseTimeout: '10s',
  scheduleToCloseTimeout: '1m',
  retry: { initialInterval: '500ms' },
});

/** Rows of holds: where the database is away they wait, and the hold goes on. */
export const holdRows = proxyActivities<Pick<Activities, 'recordHold' | 'holdBefore'>>({
  startToCloseTimeout: '10s',
  scheduleToCloseTimeout: '30s',
  retry: { initialInterval: '500ms', maximumInterval: '5s' },
});

/** Reads of a long scan, on the queue that paces them. To be asked for in a workflow. */
export const scans = () =>
  proxyActivities<ScanActivities>({
    taskQueue: scanQueueOf(workflowInfo().taskQueue),
    startToCloseTimeout: '30s',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
  });

/** One request each of a reading of the platform's schedule, on the same queue. */
export const slices = () =>
  proxyActivities<SliceActivity>({
    taskQueue: scanQueueOf(workflowInfo().taskQueue),
    startToCloseTimeout: '1m',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
  });

/** Work over whole fleets in our own database and Temporal: tried until it succeeds. */
export const reconciling = proxyActivities<ReconciliationActivities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});
