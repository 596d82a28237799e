import { type ListPage, page } from '../page.js';
import type { Alert, AlertFilter, Alerts } from './alerts.js';

export interface AlertQuery extends Omit<AlertFilter, 'before'> {
  /** `nextCursor` of the page before: a whole number. */
  cursor?: string;
}

/** One page of alerts, newest first */
export async function alertPage(
  alerts: Pick<Alerts, 'list'>,
  { cursor, limit, ...filter }: AlertQuery,
): Promise<ListPage<Alert>> {
  const asOf = Date.now();
  const before = cursor === undefined ? {} : { before: Number(cursor) };
  const found = await alerts.list({ ...filter, ...before, limit: limit + 1 });
  return page(found, limit, ({ id }) => id, asOf);
}
