import { openHandoverDatabase } from '../../src/store/handover.js';
import { inbox } from '../../src/store/schema.js';
import type { Loaded } from './load.js';

export interface Verified {
  /** Number of acknowledged ids. */
  acknowledged: number;
  /** Acknowledged ids that are not in the inbox. */
  missing: number;
  /** Acknowledged ids that are in the inbox more than once. */
  twice: number;
}

/** Searches the inbox for each acknowledged id, after the product has ended. */
export async function verifyEachId(
  place: { url?: string | undefined; folder: string },
  loads: readonly { prefix: string; loaded: Loaded }[],
): Promise<Verified> {
  const database = await openHandoverDatabase(place);
  try {
    const rows = await database.db.select({ id: inbox.eventId }).from(inbox);
    const found = new Map<string, number>();
    for (const { id } of rows) found.set(id, (found.get(id) ?? 0) + 1);
    const verified = { acknowledged: 0, missing: 0, twice: 0 };
    for (const { prefix, loaded } of loads) {
      const refused = new Set(loaded.notAccepted);
      for (let index = 0; index < loaded.sent; index++) {
        if (refused.has(index)) continue;
        const times = found.get(`${prefix}-${index}`) ?? 0;
        verified.acknowledged++;
        if (times === 0) verified.missing++;
        if (times > 1) verified.twice++;
      }
    }
    return verified;
  } finally {
    await database.close();
  }
}
