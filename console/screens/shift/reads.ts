import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import type { ActivityEntry, Alert, AuditEntry } from '../../api/types.js';
import { useResource } from '../../state/resource.js';

const limit = 500;
const mostPages = 4;
const everyMs = 2_000;

export interface Found<Item> {
  items: Item[];
  /** False: there is more before these. */
  isWhole: boolean;
}

export function useShifts() {
  return useResource('shifts', {
    load: async () => (await send(endpoints.shifts, { query: { limit: 20 } })).body.items,
    concerns: () => false,
  });
}

export function useActivity(since: string) {
  return useResource<Found<ActivityEntry>>(`activity ${since}`, {
    everyMs,
    load: () => pages((cursor) => send(endpoints.activity, { query: { since, limit, cursor } })),
    concerns: ({ event }) => event !== 'callback',
  });
}

/** Newest first, as far as `since`. */
export function useAudit(since: string) {
  const from = Date.parse(since);
  return useResource<Found<AuditEntry>>(`audit ${since}`, {
    everyMs,
    load: () =>
      pages(
        (cursor) => send(endpoints.audit, { query: { limit, cursor } }),
        ({ at }) => Date.parse(at) >= from,
      ),
    concerns: ({ event }) => event !== 'callback' && event !== 'reservation',
  });
}

/** Alerts that were open at some time since then. */
export function useAlerts(since: string) {
  const from = Date.parse(since);
  return useResource<Found<Alert>>(`alerts ${since}`, {
    everyMs,
    load: async () => {
      const found = await pages((cursor) =>
        send(endpoints.alerts, { query: { state: 'all', limit, cursor } }),
      );
      const isOf = ({ since: at, clearedAt }: Alert) =>
        clearedAt === null || Date.parse(clearedAt) >= from || Date.parse(at) >= from;
      return { ...found, items: found.items.filter(isOf) };
    },
    concerns: ({ event }) => event === 'alert',
  });
}

type Page<Item> = { body: { items: Item[]; nextCursor: string | null } };

/** Pages until the end, or until an item that is not wanted: lists are newest first. */
async function pages<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
  isWanted: (item: Item) => boolean = () => true,
): Promise<Found<Item>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= mostPages; page++) {
    const { body } = await read(cursor);
    const wanted = body.items.filter(isWanted);
    items.push(...wanted);
    if (body.nextCursor === null || wanted.length < body.items.length) return { items, isWhole: true };
    cursor = body.nextCursor;
  }
  return { items, isWhole: false };
}
