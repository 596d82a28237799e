import { proxyActivities, sleep } from '@temporalio/workflow';
import type { ReminderActivities } from './activities.js';

const { remind } = proxyActivities<ReminderActivities>({ startToCloseTimeout: '5s' });

export async function returnReminder(reservationId: number, waitMs: number): Promise<void> {
  await sleep(waitMs);
  await remind(reservationId);
}
