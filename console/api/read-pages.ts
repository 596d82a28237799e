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

/**
 * Reads a list page by page: to its end, to the first page that has an item which is not wanted (lists are newest first), or
 * `mostPages`.
 * @throws `ApiError`
 */
export async function readPages<Last extends Page<unknown>>(
  endpoint: Endpoint<Last>,
  request: Request = {},
  {
    mostPages = Number.POSITIVE_INFINITY,
    isWanted = () => true,
  }: { mostPages?: number; isWanted?(item: Last['items'][number]): boolean } = {},
): Promise<Found<Last['items'][number], Last>> {
  const items: Last['items'][number][] = [];
  let cursor: string | undefined;
  for (let count = 1; ; count++) {
    const { body } = await send(endpoint, { ...request, query: { ...request.query, limit, cursor } });
    const wanted = body.items.filter(isWanted);
    items.push(...wanted);
    const isWhole = body.nextCursor === null || wanted.length < body.items.length;
    if (isWhole || count >= mostPages) return { items, isWhole, page: body };
    cursor = body.nextCursor ?? undefined;
  }
}
