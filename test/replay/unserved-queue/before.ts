import { proxyActivities } from '@temporalio/workflow';
import type { PostActivities } from './activities.js';
import { postAtADeadlineBy, postBy } from './posting.js';

/** As posts of attention in 0.3.0. */
const posts = proxyActivities<PostActivities>({ startToCloseTimeout: '5s', scheduleToCloseTimeout: '1s' });

export const posting = () => postBy(posts);
export const postingAtADeadline = () => postAtADeadlineBy(posts);
