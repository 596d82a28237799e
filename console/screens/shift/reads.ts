import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import { type Found, readPages } from '../../api/read-pages.js';
import type { ActivityEntry, Alert, AuditEntry, ReservationList } from '../../api/types.js';
import { useResource } from '../../state/resource.js';

const mostPages = 4;
const everyMs = 2_000;

export function useShifts() {
  return useResource('shifts', {
    load: async () => (await send(endpoints.shifts, { query: { limit: 100 } })).body.items,
    // of a colleague, too
    visibleEveryMs: 30_000,
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

export function useAudit(since: string) {
  return useResource<Found<AuditEntry, unknown>>(`audit ${since}`, {
    everyMs,
    load: () => readPages(endpoints.audit, { query: { since } }, { mostPages }),
    concerns: ({ event }) => event !== 'callback' && event !== 'reservation',
  });
}

/** Alerts that were open at some time since then. */
export function useAlerts(since: string) {
  return useResource<Found<Alert, unknown>>(`alerts ${since}`, {
    everyMs,
    load: () => readPages(endpoints.alerts, { query: { state: 'all', since } }, { mostPages }),
    concerns: ({ event }) => event === 'alert',
  });
}

/** Reservations with an open item. */
export function useOpenItems() {
  return useResource<Found<ReservationList['items'][number], unknown>>('open items', {
    everyMs,
    load: () => readPages(endpoints.reservations, { query: { attention: 'any' } }, { mostPages }),
    concerns: ({ event }) => event === 'reservation' || event === 'claim',
  });
}
