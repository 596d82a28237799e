import { send } from './client.js';
import type { Endpoint, Request } from './endpoints.js';
import type { Page } from './types.js';

/** What was found. `isWhole` is false where the list has more; `page`: the last one, with what its list states beside the items. */
export interface Found<Item, Last = Page<Item>> {
  items: Item[];
  isWhole: boolean;
  page: Last;
}

const limit = 500;

/** Reads a list page by page: to its end, or `mostPages`. @throws `ApiError` */
export async function readPages<Last extends Page<unknown>>(
  endpoint: Endpoint<Last>,
  request: Request = {},
  { mostPages = Number.POSITIVE_INFINITY }: { mostPages?: number } = {},
): Promise<Found<Last['items'][number], Last>> {
  const items: Last['items'][number][] = [];
  let cursor: string | undefined;
  for (let count = 1; ; count++) {
    const { body } = await send(endpoint, { ...request, query: { ...request.query, limit, cursor } });
    items.push(...body.items);
    const isWhole = body.nextCursor === null;
    if (isWhole || count >= mostPages) return { items, isWhole, page: body };
    cursor = body.nextCursor ?? undefined;
  }
}
