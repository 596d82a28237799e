import { sql } from 'drizzle-orm';
import { rowsOf } from '../connection/rows.js';
import { applicationOf } from '../connection/session.js';
import type { HandoverDb } from '../handover.js';

/** A process that follows the changes of a server's database, that is one with a status API. */
export interface ChangeReader {
  /** From where it connects; null: the machine of the database. Behind a pooler it is the pooler's address. */
  address: string | null;
  /** Its release; null: it does not state one. */
  release: string | null;
}

/** The longest connected first. */
export async function changeReaders(db: HandoverDb): Promise<ChangeReader[]> {
  const name = applicationOf('changes');
  const read = await db.execute(sql`
    select host(client_addr) as address, nullif(substr(application_name, length(${name}::text) + 2), '') as release
    from pg_stat_activity
    where datname = current_database() and (application_name = ${name} or starts_with(application_name, ${`${name} `}))
    order by backend_start`);
  return rowsOf<ChangeReader>(read);
}
