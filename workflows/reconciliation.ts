import { workflowInfo } from '@temporalio/workflow';
import type { ReconciliationResult, ReconciliationStart } from '../src/contract/reconciliation.js';
import { slicesOf } from '../src/fleet/reconciliation/index.js';
import { reconciling, slices } from './proxies.js';

/**
 * Reads the platform's schedule once, slice by slice, compares it with what the reservations here believe, and tells
 * those for which that is news (F40-F50). Whatever was read lies in the database: nothing of it passes through here.
 */
export async function reconciliation({ window }: ReconciliationStart): Promise<ReconciliationResult> {
  const at = Date.now();
  const run = workflowInfo().runId;
  const dated = slicesOf(at, window);
  const { readScheduleSlice } = slices();
  await Promise.all(dated.map((slice, index) => readScheduleSlice({ run, index, slice })));
  const result = await reconciling.compareSchedule({ run, at, slices: dated });
  let after: number | null = result.told > 0 ? 0 : null;
  while (after !== null) after = await reconciling.tellReservations({ after });
  return result;
}
