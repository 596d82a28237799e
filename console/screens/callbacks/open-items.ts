import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import type { Bookings, Page } from '../../api/types.js';
import { useResource } from '../../state/resource.js';

/** What waits for a decision; the first page of each is enough to act on. */
const limit = 100;
const everyMs = 2_000;

/** Findings that are not over: of one reading so far, and of more. */
export function useFindings() {
  return useResource('findings', {
    everyMs,
    load: async () => {
      const lists = (['open', 'seen'] as const).map((state) =>
        send(endpoints.findings, { query: { state, limit } }),
      );
      return joined(await Promise.all(lists));
    },
    concerns: ({ event }) => event === 'finding',
  });
}

export function useUnknownBookings() {
  return useResource('unknown bookings', {
    everyMs,
    load: async () => {
      const lists = (['unknown', 'ambiguous'] as const).map((state) =>
        send(endpoints.bookings, { query: { state, limit } }),
      );
      return joined<Bookings['items'][number]>(await Promise.all(lists));
    },
    concerns: ({ event }) => event === 'booking',
  });
}

export function useDeadCallbacks() {
  return useResource('dead callbacks', {
    everyMs,
    load: async () => (await send(endpoints.callbacks, { query: { state: 'dead', limit } })).body,
    concerns: ({ event, codes }) => event === 'callback' && !codes.includes('duplicate'),
  });
}

export function usePosts() {
  return useResource('posts', {
    everyMs,
    load: async () => (await send(endpoints.posts, { query: { limit } })).body,
    concerns: ({ event }) => event === 'alert',
  });
}

function joined<Item>(answers: { body: Page<Item> }[]): Omit<Page<Item>, 'asOf'> {
  return {
    items: answers.flatMap(({ body }) => body.items),
    nextCursor: answers.map(({ body }) => body.nextCursor).find((cursor) => cursor !== null) ?? null,
  };
}
