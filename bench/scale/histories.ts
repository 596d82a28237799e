import { Client, Connection } from '@temporalio/client';
import { bookingWorkflowId, reservationWorkflowId } from '../../src/contract/names.js';
import type { Played } from '../lifecycle.js';
import { rounded } from '../statistics.js';
import { type ActionCounts, billableActions, type HistoryEvent, totalOf } from './actions.js';
import { reservationAt } from './callbacks.js';

/** Averages of one reservation. */
export interface HistoryCounts {
  events: number;
  /** Actions of Temporal Cloud, queries excepted. */
  cloudActions: number;
  actionsByName: ActionCounts;
}

/** Histories that are read of each kind. */
const sample = 10;

export async function withClient<T>(address: string, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

export async function eventsOf(client: Client, workflowId: string, runId?: string): Promise<HistoryEvent[]> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  return events ?? [];
}

/** Of some of these lifecycles, with their bookings. */
export function lifecycleHistories(address: string, played: readonly Played[]): Promise<HistoryCounts> {
  const some = played.slice(0, sample);
  const ids = some.flatMap(({ reservationId, bookingId }) => [
    reservationWorkflowId(reservationId),
    bookingWorkflowId(bookingId),
  ]);
  return averageHistory(address, ids, some.length);
}

/** Of the first open reservations from this number on: each change comes to the first ones first. */
export async function firstHistories(
  address: string,
  open: number,
  first = 0,
): Promise<Pick<HistoryCounts, 'events' | 'cloudActions'>> {
  const ids = Array.from({ length: Math.min(sample, open - first) }, (_, index) =>
    reservationWorkflowId(reservationAt(first + index)),
  );
  const { events, cloudActions } = await averageHistory(address, ids, ids.length);
  return { events, cloudActions };
}

function averageHistory(address: string, ids: readonly string[], units: number): Promise<HistoryCounts> {
  return withClient(address, async (client) => {
    let events = 0;
    const sums: ActionCounts = {};
    for (const id of ids) {
      for (const run of await runsOf(client, id)) {
        events += run.length;
        for (const [name, count] of Object.entries(billableActions(run)))
          sums[name] = (sums[name] ?? 0) + count;
      }
    }
    const average = (count: number) => rounded(count / units, 1);
    const byName = Object.fromEntries(Object.entries(sums).map(([name, count]) => [name, average(count)]));
    return { events: average(events), cloudActions: average(totalOf(sums)), actionsByName: byName };
  });
}

/** The events of each run, the newest run first: one that continued as new has another before it. */
async function runsOf(client: Client, workflowId: string): Promise<HistoryEvent[][]> {
  const runs: HistoryEvent[][] = [];
  for (let runId: string | undefined; ; ) {
    const run = await eventsOf(client, workflowId, runId);
    runs.push(run);
    runId = run[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
    if (runId === undefined) return runs;
  }
}
