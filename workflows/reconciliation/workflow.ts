import { ActivityFailure, ApplicationFailure, patched, sleep, workflowInfo } from '@temporalio/workflow';
import type {
  ReconciliationResult,
  ReconciliationStart,
  SliceCount,
} from '../../src/contract/reconciliation.js';
import { slicesOf } from '../../src/domain/reconciliation/index.js';
import { reconciling, slices } from '../shared/proxies.js';

/** For runs of 0.2.0, which watched themselves. */
const stuckAfterMs = 30 * 60_000;

/**
 * Reads the platform's schedule once, slice by slice, compares it with what the reservations here believe, and notifies
 * those for which it is news (F40-F50). The entries stay in the database: none passes through this workflow.
 */
export async function reconciliation(start: ReconciliationStart): Promise<ReconciliationResult> {
  // a workflow that hangs cannot report that itself: workers watch it (F51)
  const isWatched = patched('reconciliation-is-watched');
  const reading = read(start);
  reading.catch(() => {}); // it may fail before it is awaited
  try {
    if (isWatched) return await reading;
    const isOver = await Promise.race([
      reading,
      sleep(stuckAfterMs, { summary: 'until it counts as stuck' }),
    ]);
    if (!isOver) await reconciling.reconciliationStuck({ at: Date.now(), code: 'NOT_OVER' });
    return await reading;
  } catch (error) {
    if (error instanceof ActivityFailure) {
      await reconciling.reconciliationStuck({ at: Date.now(), code: codeOf(error) });
    }
    throw error;
  }
}

async function read({ window }: ReconciliationStart): Promise<ReconciliationResult> {
  const at = Date.now();
  const run = workflowInfo().runId;
  const dated = slicesOf(at, window);
  const { readScheduleSlice } = slices();
  const counts = await Promise.all(dated.map((slice, index) => readScheduleSlice({ run, index, slice })));
  const read = dated.map((slice, index) => ({ ...slice, ...unreadIn(counts[index]) }));
  const result = await reconciling.compareSchedule({ run, at, slices: read });
  let after: number | null = result.told > 0 ? 0 : null;
  while (after !== null) after = await reconciling.tellReservations({ after });
  return result;
}

function unreadIn(count: SliceCount | undefined) {
  return typeof count === 'object' ? { unread: count.unread } : {};
}

function codeOf({ cause }: ActivityFailure): string {
  return cause instanceof ApplicationFailure && cause.type ? cause.type : 'FAILED';
}
