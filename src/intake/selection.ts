import { and, eq, gte, lt, type SQL } from 'drizzle-orm';
import { type InboxState, inbox } from '../db/schema.js';
import type { EventChannel, Verdict } from '../lifecycle/types.js';

/** Which events: by their facts; times are instants, and `from` <= received < `to`. */
export interface InboxSelection {
  reservationId?: number;
  verdict?: Verdict;
  channel?: EventChannel;
  state?: InboxState;
  from?: number;
  to?: number;
}

/** What a selection asks of a row. */
export function matching({
  reservationId,
  verdict,
  channel,
  state,
  from,
  to,
}: InboxSelection): SQL | undefined {
  return and(
    reservationId === undefined ? undefined : eq(inbox.reservationId, reservationId),
    verdict === undefined ? undefined : eq(inbox.verdict, verdict),
    channel === undefined ? undefined : eq(inbox.channel, channel),
    state === undefined ? undefined : eq(inbox.state, state),
    from === undefined ? undefined : gte(inbox.receivedAt, from),
    to === undefined ? undefined : lt(inbox.receivedAt, to),
  );
}
