import { desc, lt } from 'drizzle-orm';
import type { HandoverDb } from '../handover.js';
import { type ListPage, page } from '../page.js';
import { type ErasureCause, type ErasureCounts, erasures } from '../schema.js';

/** What was erased, when, and by whom; nothing personal of those whose data it was. `at` is an instant. */
export interface Certificate {
  id: number;
  at: number;
  by: string;
  cause: ErasureCause;
  reservations: number[];
  /** Bookings (command ids) and holds that were erased by themselves; null: an earlier release did not store which. */
  bookings: string[] | null;
  holds: string[] | null;
  counts: ErasureCounts;
}

export const noCounts: Readonly<ErasureCounts> = {
  reservations: 0,
  bookings: 0,
  holds: 0,
  keys: 0,
  photos: 0,
  bodies: 0,
  posts: 0,
  reasons: 0,
  payloads: 0,
  unreadable: 0,
};

/** Stored in the transaction of the erasure. */
export async function writeCertificate(
  tx: Pick<HandoverDb, 'insert'>,
  certificate: Omit<Certificate, 'id'>,
): Promise<Certificate> {
  const [row] = await tx.insert(erasures).values(certificate).returning();
  if (row === undefined) throw new Error('the certificate was not stored');
  return row;
}

/** Certificates, the newest first. */
export interface Certificates {
  list(filter: { cursor?: string; limit: number }): Promise<ListPage<Certificate>>;
}

export function createCertificates(db: HandoverDb): Certificates {
  return {
    async list({ cursor, limit }) {
      const asOf = Date.now();
      const rows = await db
        .select()
        .from(erasures)
        .where(cursor === undefined ? undefined : lt(erasures.id, Number(cursor)))
        .orderBy(desc(erasures.id))
        .limit(limit + 1);
      return page(rows, limit, ({ id }) => id, asOf);
    },
  };
}
