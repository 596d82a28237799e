import { proxyActivities, sleep } from '@temporalio/workflow';
import { onQueue } from '../../../workflows/shared/retried-activities.js';
import type { PostActivities } from './activities.js';

const { post } = onQueue(
  (queue) => `${queue}-database`,
  proxyActivities<PostActivities>({ startToCloseTimeout: '5s', scheduleToCloseTimeout: '1s' }),
);

/** The same on a queue of its own. */
export async function posting(): Promise<void> {
  await post().catch(() => sleep(1));
}
