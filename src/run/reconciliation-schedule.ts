import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Config } from '../config.js';
import { taskQueue } from '../contract/names.js';
import {
  type ReconciliationStart,
  reconciliationId,
  reconciliationWorkflow,
} from '../contract/reconciliation.js';
import type { WireProfile } from '../platform/profile.js';
import type { Setting } from './setting.js';

const withinMs = 10_000;
/** Days of one GET /schedule: an answer about ten thousand cars stays within a few megabytes. */
const sliceDays = 4;

/** What one reconciliation reads (F40). */
export function reconciliationStart(
  { reconciliation: { days } }: Pick<Config, 'reconciliation'>,
  { zone }: Pick<WireProfile, 'zone'>,
): ReconciliationStart {
  return {
    window: { daysBack: days.back, daysAhead: days.ahead, sliceDays, zoneOffsetMinutes: zone.offsetMinutes },
  };
}

/** The same at the start of a worker: where Temporal does not take it the log says so, and everything else runs. */
export async function startReconciling({ config, profile, log }: Setting, client: Client): Promise<void> {
  try {
    await scheduleReconciliation(client, config, profile);
  } catch (error) {
    log.error(
      { err: error },
      'Temporal did not take the Schedule of the reconciliation; the next start tries again',
    );
  }
}

/**
 * Has Temporal start the reconciliation every so often, as the configuration says (F40): a worker that starts makes it so,
 * whatever was set before. Without a supplier key, or switched off, there is none.
 */
export async function scheduleReconciliation(
  client: Client,
  config: Pick<Config, 'reconciliation' | 'platform'>,
  profile: Pick<WireProfile, 'zone'>,
): Promise<void> {
  const { everyMs } = config.reconciliation;
  const isOn = everyMs > 0 && config.platform.supplierKey !== undefined;
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
    // one that was missed says nothing that the next one does not
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
  };
  await client.withDeadline(Date.now() + withinMs, () => (isOn ? put(client, options) : remove(client)));
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
