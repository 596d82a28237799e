import type { Alert, AlertFilter, Alerts } from './alerts.js';

export interface AlertQuery extends Omit<AlertFilter, 'before'> {
  /** `nextCursor` of the page before: a whole number. */
  cursor?: string;
}

/** One page of alerts, newest first; `nextCursor` null: there is no more. `asOf` is an instant. */
export async function alertPage(
  alerts: Pick<Alerts, 'list'>,
  { cursor, limit, ...filter }: AlertQuery,
): Promise<{ items: Alert[]; nextCursor: string | null; asOf: number }> {
  const asOf = Date.now();
  const before = cursor === undefined ? {} : { before: Number(cursor) };
  const found = await alerts.list({ ...filter, ...before, limit: limit + 1 });
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, nextCursor: last === undefined ? null : String(last.id), asOf };
}
