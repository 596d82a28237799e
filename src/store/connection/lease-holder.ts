import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import type { HandoverDb } from '../handover.js';
import { leases } from '../schema.js';
import type { Fence } from './lease.js';

/** Part of a statement: no other process has taken the lease over. Without a fence always true. */
export function isHeld(fence: Fence | undefined): SQL {
  if (fence === undefined) return sql`true`;
  const { name, epoch } = fence;
  return sql`exists (select 1 from ${leases} where ${leases.name} = ${name} and ${leases.epoch} = ${epoch})`;
}

/** The present holder of a lease. */
export interface LeaseHolder {
  /** When it became the holder; an instant. */
  since: number;
  /** Address of its connection to the database; null: the machine of the database, or the same process. */
  address: string | null;
}

/** The valid ones of these names, with their holders. `process` is the same for all leases of one process. */
export async function leaseHolders(
  db: HandoverDb,
  names: readonly string[],
): Promise<(LeaseHolder & { name: string; process: string })[]> {
  const { name, holder, since, address } = leases;
  return db
    .select({ name, process: holder, since, address })
    .from(leases)
    .where(and(inArray(name, [...names]), gt(leases.expiresAt, sql`now()`)))
    .orderBy(name);
}

/** Null: no process. */
export async function leaseHolder(db: HandoverDb, name: string): Promise<LeaseHolder | null> {
  const { since, address } = leases;
  const [holder] = await db
    .select({ since, address })
    .from(leases)
    .where(and(eq(leases.name, name), gt(leases.expiresAt, sql`now()`)));
  return holder ?? null;
}
