/** The path, with the query where it has anything. */
export function withSearch(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query}`;
}
