import { and, inArray, type SQL, sql } from 'drizzle-orm';
import type { HandoverDb } from '../handover.js';
import { leases } from '../schema.js';
import { type Fence, isValid } from './lease.js';

/** Part of a statement: no other process has taken the lease over. Without a fence always true. */
export function isHeld(fence: Fence | undefined): SQL {
  if (fence === undefined) return sql`true`;
  const { name, epoch } = fence;
  return sql`exists (select 1 from ${leases} where ${leases.name} = ${name} and ${leases.epoch} = ${epoch})`;
}

/** The present holder of a lease. */
interface LeaseHolder {
  name: string;
  /** The same for all leases of one process. */
  process: string;
  /** When it became the holder; an instant. */
  since: number;
  /** Address of its connection to the database; null: the machine of the database, or the same process. */
  address: string | null;
}

/** The valid ones of these names, with their holders. */
export async function leaseHolders(db: HandoverDb, names: readonly string[]): Promise<LeaseHolder[]> {
  const { name, holder, since, address } = leases;
  return db
    .select({ name, process: holder, since, address })
    .from(leases)
    .where(and(inArray(name, [...names]), sql.raw(isValid)))
    .orderBy(name);
}
