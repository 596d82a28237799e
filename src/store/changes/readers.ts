import { sql } from 'drizzle-orm';
import { rowsOf } from '../connection/rows.js';
import { applicationOf } from '../connection/session.js';
import type { HandoverDb } from '../handover.js';

/**
 * The processes that follow the changes of a server's database, that is those with a status API: from where each connects, the longest connected
 * first; null: the machine of the database. Behind a pooler it is the pooler's address.
 */
export async function changeReaders(db: HandoverDb): Promise<(string | null)[]> {
  const read = await db.execute(sql`
    select host(client_addr) as address from pg_stat_activity
    where datname = current_database() and application_name = ${applicationOf('changes')}
    order by backend_start`);
  return rowsOf<{ address: string | null }>(read).map(({ address }) => address);
}
