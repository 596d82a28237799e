import { proxyActivities, sleep } from '@temporalio/workflow';
import type { ReminderActivities } from './activities.js';

const { remind, isReturned } = proxyActivities<ReminderActivities>({ startToCloseTimeout: '5s' });

// the same change with nothing to tell the open runs apart
export async function returnReminder(reservationId: number, waitMs: number): Promise<void> {
  await sleep(waitMs);
  if (await isReturned(reservationId)) return;
  await remind(reservationId);
}
