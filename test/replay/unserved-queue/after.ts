import { proxyActivities } from '@temporalio/workflow';
import { onQueue } from '../../../workflows/shared/retried-activities.js';
import type { PostActivities } from './activities.js';
import { postAtADeadlineBy, postBy } from './posting.js';

/** The same on a queue of their own. */
const posts = onQueue<PostActivities>(
  (queue) => `${queue}-database`,
  proxyActivities<PostActivities>({ startToCloseTimeout: '5s', scheduleToCloseTimeout: '1s' }),
);

export const posting = () => postBy(posts);
export const postingAtADeadline = () => postAtADeadlineBy(posts);
