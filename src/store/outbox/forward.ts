import { type SQL, sql } from 'drizzle-orm';

/**
 * Part of a statement: puts each callback that the same statement stores into the outbox for FORWARD_URL, in their order,
 * so that neither exists without the other (F70). The body is forwarded unchanged, with the headers that describe it (F71).
 * The message has the id of the callback, or one made from its content and row, so that the receiver can deduplicate (F72).
 * A callback without a reservation waits for no other.
 * @param stored rows of the inbox with all columns of its table, and `is_new`
 */
export function forwardStored(stored: SQL): SQL {
  return sql`
    insert into outbox (destination, key, message_id, path, body, headers, created_at)
    select 'forward', coalesce('reservation-' || reservation_id, 'event-' || id),
      case identity when 'webhook-id' then event_id else 'content:' || event_id || ':' || id end,
      path, raw,
      jsonb_strip_nulls(jsonb_build_object(
        'content-type', headers->>'content-type', 'content-encoding', headers->>'content-encoding')),
      received_at
    from ${stored} where is_new
    order by id
    on conflict do nothing`;
}
