import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { reservationWorkflow, reservationWorkflowId } from '../../src/contract/names.js';
import { searchAttributes } from '../../src/contract/search-attributes.js';
import type { ScheduleEntry } from '../../src/domain/reservation/index.js';

const atOnce = 40;

/**
 * Starts open reservations whose belief agrees with the schedule, so that lists contain them. No worker polls their
 * queue: another bench measures what a reservation does with its messages.
 */
export async function openReservations(
  client: Client,
  entries: readonly ScheduleEntry[],
  firstId = 1,
): Promise<void> {
  const left = entries.map((entry, index) => ({ entry, id: firstId + index }));
  const startNext = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await start(client, next);
  };
  await Promise.all(Array.from({ length: atOnce }, startNext));
  for (;;) {
    const { count } = await client.workflow.count(`WorkflowType = '${reservationWorkflow}'`);
    if (Number(count) === entries.length) return;
    await sleep(500);
  }
}

async function start(client: Client, { entry, id }: { entry: ScheduleEntry; id: number }): Promise<void> {
  await client.workflow.start(reservationWorkflow, {
    workflowId: reservationWorkflowId(id),
    taskQueue: 'no-worker',
    args: [{ reservationId: id }],
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.status, value: 5 },
      { key: searchAttributes.carId, value: entry.carId },
      { key: searchAttributes.start, value: new Date(entry.start) },
      { key: searchAttributes.end, value: new Date(entry.end) },
    ]),
  });
}
