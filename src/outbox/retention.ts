import type { Logger } from 'pino';
import type { HandoverDb } from '../store/handover.js';
import { dropOldPosts } from '../store/outbox/queue.js';
import type { Destination } from '../store/schema.js';

/** The most ids in one log line. */
const shownIds = 20;

/** Drops and logs posts that their receiver has not accepted for so long (milliseconds), also where no sender runs for them now. */
export async function dropUnaccepted(
  db: HandoverDb,
  retentionMs: Readonly<Record<Destination, number>>,
  log: Logger,
): Promise<void> {
  for (const [destination, forMs] of Object.entries(retentionMs) as [Destination, number][]) {
    const dropped = await dropOldPosts(db, destination, forMs);
    if (dropped.length === 0) continue;
    log.error(
      { destination, posts: dropped.length, messageIds: dropped.slice(0, shownIds) },
      'posts that were never accepted were dropped',
    );
  }
}
