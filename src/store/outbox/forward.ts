import { type SQL, sql } from 'drizzle-orm';

/**
 * Part of a statement: puts each callback that the rest of it has just stored into the outbox for FORWARD_URL, in
 * their order, so neither is there without the other (F70). Bytes stay as they came and encrypted as they are; of the
 * headers go those that describe the body (F71). The message has the id of the callback: where it had none its content
 * and row make one, so that it is one event for its receiver (F72). What names no reservation waits for no other.
 * @param stored rows of the inbox by the columns of its table, with `is_new`
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
