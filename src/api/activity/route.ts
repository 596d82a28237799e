import { hour } from '../../domain/shared/time.js';
import { withPlates } from '../cars/with-plates.js';
import type { Api, RouteContext } from '../http/context.js';
import { listRoute } from '../http/list-route.js';
import { activityList, activityQuery } from './schemas.js';

/** GET /api/activity: who did what; reasons are in the audit and in the reservations. */
export function activityRoute(api: Api, context: RouteContext): void {
  const { activity, plates, clock = Date.now } = context.deps;
  listRoute(api, context, {
    path: '/api/activity',
    role: 'staff',
    summary: 'Who did what since a moment',
    tag: 'operations',
    query: activityQuery,
    answer: activityList,
    read: async ({ since = clock() - 24 * hour, ...filter }) =>
      withPlates(plates, await activity.list({ since, ...filter })),
    show: (entry, write) => ({ ...entry, at: write(entry.at) }),
  });
}
