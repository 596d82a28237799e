import { proxyActivities, sleep } from '@temporalio/workflow';
import type { PostActivities } from './activities.js';

const { post } = proxyActivities<PostActivities>({
  startToCloseTimeout: '5s',
  scheduleToCloseTimeout: '1s',
});

/** As posts of attention in 0.3.0: one that no worker starts within the limit of the whole call is made later. */
export async function posting(): Promise<void> {
  await post().catch(() => sleep(1));
}
