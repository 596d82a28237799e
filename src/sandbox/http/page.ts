import type { Listing, WireProfile } from '../../platform/profile.js';
import { Refusal } from '../core/refusal.js';
import type { Page } from '../store/fleet.js';

const everything = 2 ** 31 - 1;

/** The page of a list that `page` names (G21), with one item more than a page holds, to see whether there is a next page. */
export function pageOf(profile: WireProfile, page: string | undefined): Page {
  const after = page === undefined ? 0 : Number(page);
  if (!Number.isSafeInteger(after))
    throw new Refusal('INVALID_REQUEST', 'page: not one that a list answer gave');
  const { pageSize } = profile.behaviour;
  return { after, limit: pageSize === undefined ? everything : pageSize + 1 };
}

/** A list answer; `next` is the id after which the next page begins. */
export function listing<T>(page: Page, items: T[], idOf: (item: T) => number): Listing<T> {
  if (items.length < page.limit) return { items };
  const shown = items.slice(0, -1);
  const last = shown.at(-1);
  return last === undefined ? { items: shown } : { items: shown, next: String(idOf(last)) };
}
