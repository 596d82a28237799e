import { withSearch } from '../../api/with-search.js';
import { toInstant } from '../../design/time.js';

/** The filters of the list, as the address has them. */
export const filterNames = ['reservation', 'verdict', 'state', 'channel', 'from', 'to'] as const;
export type Filters = Partial<Record<(typeof filterNames)[number], string>>;

export function filtersOf(query: URLSearchParams): Filters {
  return Object.fromEntries(
    filterNames.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
  );
}

/** The same as the API takes them. */
export function toApiQuery({ reservation, from, to, ...rest }: Filters): Record<string, string> {
  const moments = { from: from && toInstant(from), to: to && toInstant(to) };
  const given = { reservationId: reservation, ...moments, ...rest };
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

/** The address of this screen with a callback open, or none; the filters stay. */
export function addressWith(query: URLSearchParams, id: number | null): string {
  const next = new URLSearchParams(query);
  next.delete('view');
  if (id === null) next.delete('id');
  else next.set('id', String(id));
  return withSearch('/in', next);
}
