import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { Played } from './lifecycle.js';
import { rounded } from './statistics.js';
import type { Target } from './target.js';

export interface HistoryFigures {
  /** Events of the reservation's and the booking's history together, on average. */
  eventsPerLifecycle: number;
  ofWhichBooking: number;
  /** Average count by event type, the most frequent first. */
  byType: Record<string, number>;
}

/** Reads the histories of these lifecycles from the engine. */
export async function readHistories(target: Target, played: readonly Played[]): Promise<HistoryFigures> {
  const connection = await Connection.connect({ address: target.temporalAddress, tls: false });
  try {
    const client = new Client({ connection });
    const types: string[] = [];
    let booking = 0;
    for (const { reservationId, bookingId } of played) {
      types.push(...(await eventTypes(client, `reservation-${reservationId}`)));
      const booked = await eventTypes(client, `booking-${bookingId}`);
      booking += booked.length;
      types.push(...booked);
    }
    const counts = new Map<string, number>();
    for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
    const average = (count: number) => rounded(count / played.length, 1);
    return {
      eventsPerLifecycle: average(types.length),
      ofWhichBooking: average(booking),
      byType: Object.fromEntries(
        [...counts].sort(([, a], [, b]) => b - a).map(([type, count]) => [type, average(count)]),
      ),
    };
  } finally {
    await connection.close();
  }
}

async function eventTypes(client: Client, workflowId: string): Promise<string[]> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const names = proto.temporal.api.enums.v1.EventType;
  return (events ?? []).map(({ eventType }) => (names[eventType ?? 0] ?? '').replace('EVENT_TYPE_', ''));
}
