import { z } from 'zod';
import { hour } from '../../domain/shared/time.js';
import type { Api, RouteContext } from '../http/context.js';
import { instant, moment, pageLimit, words } from '../http/fields.js';
import { listOf, listRoute } from '../http/list-route.js';

const query = z.strictObject({
  since: instant.exactOptional().describe('From this moment on; absent: the last 24 hours'),
  by: words(200).exactOptional().describe('Name of a person'),
  cursor: z.string().max(128, 'expected nextCursor of an earlier answer').exactOptional(),
  limit: pageLimit,
});

export const activityList = listOf(
  z.object({
    id: z.string(),
    at: moment,
    by: z.string().nullable().describe('Null: an attention item was raised, or cleared itself'),
    action: z.string().describe('Such as dispatch.start, hold.create, attention.raise'),
    subject: z.string().describe('Such as reservation/8421'),
    data: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .describe('Ids and codes'),
  }),
).describe('What people did, and which attention items were raised and cleared; newest first');

/** GET /api/activity: who did what; reasons are in the audit and in the reservations. */
export function activityRoute(api: Api, context: RouteContext): void {
  const { activity, clock = Date.now } = context.deps;
  listRoute(api, context, {
    path: '/api/activity',
    role: 'staff',
    summary: 'Who did what since a moment',
    tag: 'operations',
    query,
    answer: activityList,
    read: ({ since = clock() - 24 * hour, ...filter }) => activity.list({ since, ...filter }),
    show: (entry, write) => ({ ...entry, at: write(entry.at) }),
  });
}
