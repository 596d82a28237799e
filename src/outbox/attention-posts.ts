import type { AttentionEntries } from '../contract/reservation.js';
import { attentionPost } from '../store/alerts/post.js';
import type { HandoverDb } from '../store/handover.js';
import { insertPosts } from '../store/outbox/enqueue.js';
import type { Sealer } from '../store/sealing/sealer.js';

/** Puts one post per timeline entry into the outbox. The same entry always has the same id, so its receiver can deduplicate. */
export function createAttentionPosts(db: HandoverDb, sealer: Pick<Sealer, 'seal'>) {
  return async ({ reservationId, entries }: AttentionEntries): Promise<void> => {
    const posts = entries.flatMap((entry) => attentionPost(reservationId, entry));
    if (posts.length > 0) await db.execute(insertPosts(sealer, posts));
  };
}
