import { signal } from '@preact/signals';
import { withSearch } from '../api/with-search.js';
import { screenAt } from './paths.js';

/** Where the user is: the path and the query, which holds the filters of a screen. */
export const place = signal(placeNow());

function placeNow(): { path: string; query: URLSearchParams } {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

/** Scroll positions by history entry, so that going back returns to the same row. */
const scrolls = new Map<string, number>();
/** What each path's query was when the user left it. */
const queries = new Map<string, string>();
const entryKey = () => String(history.state?.key ?? 'first');

/** Goes to a path of the console, such as `/r/8421`. */
export function navigate(to: string, { replace = false } = {}): void {
  scrolls.set(entryKey(), scrollY);
  queries.set(location.pathname, location.search);
  const key = replace ? entryKey() : `${Date.now()}-${history.length}`;
  history[replace ? 'replaceState' : 'pushState']({ key }, '', to);
  place.value = placeNow();
  if (!replace) scrollTo(0, 0);
}

/** The address of a screen with the filters that it had. */
export function withQuery(path: string): string {
  return path + (queries.get(path) ?? '');
}

/** Writes filters into the address without a new history entry. An empty value is removed. */
export function setQuery(values: Record<string, string | null>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === '') query.delete(name);
    else query.set(name, value);
  }
  navigate(withSearch(location.pathname, query), { replace: true });
}

/** Plain links of the console change the screen without loading the page. */
export function startRouter(): void {
  history.scrollRestoration = 'manual';
  addEventListener('popstate', () => {
    place.value = placeNow();
    requestAnimationFrame(() => scrollTo(0, scrolls.get(entryKey()) ?? 0));
  });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link || event.defaultPrevented || event.button !== 0 || link.target || link.download) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin || link.hash !== '' || screenAt(link.pathname) === null) return;
    event.preventDefault();
    navigate(`${link.pathname}${link.search}`);
  });
}
