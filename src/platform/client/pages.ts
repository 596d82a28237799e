import { PlatformCallError } from '../errors.js';
import type { Listing } from '../profile.js';

/** Limits of one list: above the size of any fleet, and within the memory of one process. */
export const listLimits = {
  pages: 2_000,
  items: 200_000,
  /** Milliseconds, for all pages together. */
  withinMs: 120_000,
} as const;

/**
 * Reads all pages of a list (G21), within limits on pages and items.
 *
 * @param readPage fetches one page, the first without a token
 * @throws PlatformCallError UNREADABLE where a page token repeats, a page equals the one before it, or the list exceeds
 *   the limits
 */
export async function allPages<T>(
  operation: string,
  readPage: (page?: string) => Promise<Listing<T>>,
  limits: { pages: number; items: number } = listLimits,
): Promise<T[]> {
  const items: T[] = [];
  const named = new Set<string>();
  const unreadable = (why: string) =>
    new PlatformCallError('UNREADABLE', `${operation}: ${why} (G21)`, { operation });
  let page: string | undefined;
  let before: string | undefined;
  do {
    const listing: Listing<T> = await readPage(page);
    // no spread of the whole page: a call has a limit on its number of arguments
    for (const item of listing.items) items.push(item);
    if (items.length > limits.items) throw unreadable(`the list has more than ${limits.items} items`);
    page = listing.next;
    if (page === undefined) break;
    if (named.has(page)) throw unreadable('its pages run in a circle');
    named.add(page);
    if (named.size >= limits.pages) throw unreadable(`the list has more than ${limits.pages} pages`);
    const content = listing.items.length === 0 ? undefined : JSON.stringify(listing.items);
    if (content !== undefined && content === before) throw unreadable('a page repeats the one before it');
    before = content;
  } while (page !== undefined);
  return items;
}
