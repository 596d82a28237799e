import { type Request, send } from './client.js';
import type { Endpoint } from './endpoints.js';

interface PageOf<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** What was found. `isWhole` is false where the list has more; `page`: the last one, with what its list states beside the items. */
export interface Found<Item, Page = PageOf<Item>> {
  items: Item[];
  isWhole: boolean;
  page: Page;
}

const limit = 500;

/**
 * Reads a list page by page: to its end, to the first page that has an item which is not wanted (lists are newest first), or
 * `mostPages`.
 * @throws `ApiError`
 */
export async function readPages<Page extends PageOf<unknown>>(
  endpoint: Endpoint<Page>,
  request: Request = {},
  {
    mostPages = Number.POSITIVE_INFINITY,
    isWanted = () => true,
  }: { mostPages?: number; isWanted?(item: Page['items'][number]): boolean } = {},
): Promise<Found<Page['items'][number], Page>> {
  const items: Page['items'][number][] = [];
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
