import type { AttentionLines } from '../contract/reservation.js';
import type { HandoverDb } from '../db/handover.js';
import { insertPosts } from '../outbox/enqueue.js';
import type { Sealer } from '../sealing/sealer.js';
import { attentionPost } from './post.js';

/** Puts one post per line into the outbox. The same line again has the same id, in the outbox and for its receiver. */
export function createAttentionPosts(db: HandoverDb, sealer: Pick<Sealer, 'seal'>) {
  return async ({ reservationId, entries }: AttentionLines): Promise<void> => {
    const posts = entries.flatMap((entry) => attentionPost(reservationId, entry));
    if (posts.length > 0) await db.execute(insertPosts(sealer, posts));
  };
}
