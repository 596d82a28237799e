import { sql } from 'drizzle-orm';
import type { Instant } from '../../domain/shared/time.js';
import type { HandoverDb } from '../handover.js';
import { rowsOf } from './rows.js';

/** The database's clock. */
export async function clockOf(db: Pick<HandoverDb, 'execute'>): Promise<Instant> {
  const [clock] = rowsOf<{ now: string | Date }>(await db.execute(sql`select now() as now`));
  return new Date(clock?.now ?? 0).getTime();
}
