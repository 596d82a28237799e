import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import { type Found, readPages } from '../../api/read-pages.js';
import type { ActivityEntry, Alert, AuditEntry } from '../../api/types.js';
import { useResource } from '../../state/resource.js';

const mostPages = 4;
const everyMs = 2_000;

export function useShifts() {
  return useResource('shifts', {
    load: async () => (await send(endpoints.shifts, { query: { limit: 20 } })).body.items,
    concerns: () => false,
  });
}

export function useActivity(since: string) {
  return useResource<Found<ActivityEntry, unknown>>(`activity ${since}`, {
    everyMs,
    load: () => readPages(endpoints.activity, { query: { since } }, { mostPages }),
    concerns: ({ event }) => event !== 'callback',
  });
}

/** Newest first, as far as `since`. */
export function useAudit(since: string) {
  const from = Date.parse(since);
  return useResource<Found<AuditEntry, unknown>>(`audit ${since}`, {
    everyMs,
    load: () => readPages(endpoints.audit, {}, { mostPages, isWanted: ({ at }) => Date.parse(at) >= from }),
    concerns: ({ event }) => event !== 'callback' && event !== 'reservation',
  });
}

/** Alerts that were open at some time since then. */
export function useAlerts(since: string) {
  const from = Date.parse(since);
  return useResource<Found<Alert, unknown>>(`alerts ${since}`, {
    everyMs,
    load: async () => {
      const found = await readPages(endpoints.alerts, { query: { state: 'all' } }, { mostPages });
      const isOf = ({ since: at, clearedAt }: Alert) =>
        clearedAt === null || Date.parse(clearedAt) >= from || Date.parse(at) >= from;
      return { ...found, items: found.items.filter(isOf) };
    },
    concerns: ({ event }) => event === 'alert',
  });
}
