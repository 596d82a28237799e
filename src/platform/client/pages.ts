import { PlatformCallError } from '../errors.js';
import type { Listing } from '../profile.js';

/**
 * Reads a list to its end (G21).
 *
 * @param ask fetches one page, the first without a token
 * @throws PlatformCallError UNREADABLE when the platform names a page that it named before: it would never end
 */
export async function allPages<T>(name: string, ask: (page?: string) => Promise<Listing<T>>): Promise<T[]> {
  const items: T[] = [];
  const seen = new Set<string>();
  let page: string | undefined;
  do {
    const listing: Listing<T> = await ask(page);
    items.push(...listing.items);
    page = listing.next;
    if (page !== undefined && seen.has(page))
      throw new PlatformCallError('UNREADABLE', `${name}: its pages run in a circle`, { operation: name });
    if (page !== undefined) seen.add(page);
  } while (page !== undefined);
  return items;
}
