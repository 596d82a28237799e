import { sleep } from '@temporalio/workflow';
import type { PostActivities } from './activities.js';

/** A post that no worker starts within the limit of the whole call is made later. */
export async function postBy({ post }: PostActivities): Promise<void> {
  await post().catch(() => sleep(1));
}

/** A post that fails in the task in which a deadline passes. */
export async function postAtADeadlineBy({ post }: PostActivities): Promise<void> {
  const passed = sleep(300)
    // one `await` more than the failed post needs: so what follows the post comes first, as long as its call adds none
    .then(() => {})
    .then(() => post().catch(() => {}));
  await Promise.all([post().catch(() => sleep(1)), passed]);
}
