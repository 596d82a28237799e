import { type SQL, sql } from 'drizzle-orm';
import { outboxRow } from '../sealing/rows.js';
import type { Sealer } from '../sealing/sealer.js';

/** A post to be put into the outbox, for the address of the receiver itself. */
export interface Post {
  /** Posts of one key are sent one after the other. */
  key: string;
  messageId: string;
  /** Instant. */
  createdAt: number;
  /** Sent as JSON. */
  body: object;
}

/**
 * Part of a statement: puts posts into the outbox, encrypted and in their order; each message id once. It is
 * part of the statement that writes the subject of the posts, so that neither exists without the other.
 * @param where a condition on `post`, by its column `"messageId"`
 */
export function insertPosts(
  sealer: Pick<Sealer, 'seal'>,
  posts: readonly Post[],
  where: SQL = sql`true`,
): SQL {
  const rows = posts.map(({ body, ...post }, place) => ({
    ...post,
    place,
    body: sealer.seal(Buffer.from(JSON.stringify(body)), outboxRow(post.messageId)).toString('base64'),
  }));
  return sql`
    insert into outbox (key, message_id, path, body, created_at)
    select key, "messageId", '', decode(body, 'base64'), to_timestamp("createdAt" / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as post(key text, "messageId" text, "createdAt" bigint, place integer, body text)
    where ${where}
    order by place
    on conflict do nothing`;
}
