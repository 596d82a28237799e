import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { Played } from './lifecycle.js';
import { rounded } from './statistics.js';
import type { Target } from './target.js';

export interface HistoryFigures {
  /** Events of the reservation's and the booking's history together, on average. */
  eventsPerLifecycle: number;
  ofWhichBooking: number;
  /** Of both together, in 1,000 bytes, as the engine counts them (`historySizeBytes`). */
  kilobytes: number;
  /** Average count by event type, the most frequent first. */
  byType: Record<string, number>;
}

/** Reads the histories of these lifecycles from the engine. */
export async function readHistories(target: Target, played: readonly Played[]): Promise<HistoryFigures> {
  const connection = await Connection.connect({ address: target.temporalAddress, tls: false });
  try {
    const client = new Client({ connection });
    const types: string[] = [];
    let [booking, bytes] = [0, 0];
    for (const { reservationId, bookingId } of played) {
      const reserved = await readHistory(client, `reservation-${reservationId}`);
      const booked = await readHistory(client, `booking-${bookingId}`);
      types.push(...reserved.types, ...booked.types);
      booking += booked.types.length;
      bytes += reserved.bytes + booked.bytes;
    }
    const counts = new Map<string, number>();
    for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
    const average = (count: number) => rounded(count / played.length, 1);
    return {
      eventsPerLifecycle: average(types.length),
      ofWhichBooking: average(booking),
      kilobytes: average(bytes / 1000),
      byType: Object.fromEntries(
        [...counts].sort(([, a], [, b]) => b - a).map(([type, count]) => [type, average(count)]),
      ),
    };
  } finally {
    await connection.close();
  }
}

async function readHistory(client: Client, workflowId: string): Promise<{ types: string[]; bytes: number }> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  // not by a handle, which decrypts the memo: the bench has no key
  const { workflowExecutionInfo } = await client.workflowService.describeWorkflowExecution({
    namespace: client.options.namespace,
    execution: { workflowId },
  });
  const names = proto.temporal.api.enums.v1.EventType;
  return {
    types: (events ?? []).map(({ eventType }) => (names[eventType ?? 0] ?? '').replace('EVENT_TYPE_', '')),
    bytes: Number(workflowExecutionInfo?.historySizeBytes ?? 0),
  };
}
