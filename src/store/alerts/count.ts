import { isNull, sql } from 'drizzle-orm';
import type { HandoverDb } from '../handover.js';
import { alerts } from '../schema.js';
import { type AlertKind, alertKinds } from './kinds.js';

/** How many alerts are open, of every kind. */
export async function countOpenAlerts(db: HandoverDb): Promise<Record<AlertKind, number>> {
  const { kind, clearedAt } = alerts;
  const open = sql<number>`count(*)`.mapWith(Number);
  const found = await db.select({ kind, open }).from(alerts).where(isNull(clearedAt)).groupBy(kind);
  const none = Object.fromEntries(alertKinds.map((one) => [one, 0])) as Record<AlertKind, number>;
  return { ...none, ...Object.fromEntries(found.map((row) => [row.kind, row.open])) };
}
