import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { taskQueue } from '../../contract/names.js';
import {
  type ReconciliationStart,
  reconciliationId,
  reconciliationWorkflow,
} from '../../contract/reconciliation.js';
import { inTime } from './calls.js';

/** Which days are compared, and how often; without a supplier key never. */
interface ReconciliationSettings {
  reconciliation: { everyMs: number; days: { back: number; ahead: number } };
  platform: { channelKey?: string; supplierKey?: string };
}
/** The service's zone (G18). */
interface Zoned {
  zone: { offsetMinutes: number };
}

const withinMs = 10_000;
/** Days of one GET /schedule: an answer about ten thousand cars stays within a few megabytes. */
const sliceDays = 4;

/** What one reconciliation reads (F40). */
export function reconciliationStart(
  { reconciliation: { days } }: Pick<ReconciliationSettings, 'reconciliation'>,
  { zone }: Zoned,
): ReconciliationStart {
  return {
    window: { daysBack: days.back, daysAhead: days.ahead, sliceDays, zoneOffsetMinutes: zone.offsetMinutes },
  };
}

/** How often it runs, in ms; null: it is switched off, or there is no supplier key. */
export function reconcilesEvery({
  reconciliation: { everyMs },
  platform: { supplierKey },
}: ReconciliationSettings): number | null {
  return everyMs > 0 && supplierKey !== undefined ? everyMs : null;
}

/**
 * Sets the Temporal Schedule that starts the reconciliation, as configured (F40). Each worker does this when it starts,
 * whatever was set before. Without a supplier key, or switched off, it removes the Schedule.
 */
export async function scheduleReconciliation(
  client: Client,
  config: ReconciliationSettings,
  profile: Zoned,
): Promise<void> {
  const everyMs = reconcilesEvery(config);
  if (everyMs === null) return inTime(client, withinMs, () => remove(client));
  const options: ScheduleOptions = {
    scheduleId: reconciliationId,
    spec: { intervals: [{ every: everyMs }] },
    action: {
      type: 'startWorkflow',
      workflowType: reconciliationWorkflow,
      workflowId: reconciliationId,
      taskQueue,
      args: [reconciliationStart(config, profile)],
    },
    // a missed run is not made up for: the next one shows the same
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
  };
  await inTime(client, withinMs, () => put(client, options));
}

async function put(client: Client, options: ScheduleOptions): Promise<void> {
  try {
    await client.schedule.create(options);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { spec, action, policies } = options;
    // a person may have paused it
    await client.schedule
      .getHandle(options.scheduleId)
      .update(({ state }) => ({ spec, action, policies: policies ?? {}, state }) as never);
  }
}

async function remove(client: Client): Promise<void> {
  try {
    await client.schedule.getHandle(reconciliationId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
