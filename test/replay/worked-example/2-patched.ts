import { patched, proxyActivities, sleep } from '@temporalio/workflow';
import type { ReminderActivities } from './activities.js';

const { remind, isReturned } = proxyActivities<ReminderActivities>({ startToCloseTimeout: '5s' });

export async function returnReminder(reservationId: number, waitMs: number): Promise<void> {
  await sleep(waitMs);
  if (patched('not-when-returned') && (await isReturned(reservationId))) return;
  await remind(reservationId);
}
