import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { Verdict } from '../../domain/reservation/types.js';
import { inbox } from '../schema.js';
import type { InboxState } from './states.js';
import type { InboxSelection } from './types.js';

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
    verdict === undefined ? undefined : hasVerdict(verdict),
    channel === undefined ? undefined : eq(inbox.channel, channel),
    state === undefined ? undefined : hasState(state),
    from === undefined ? undefined : gte(inbox.receivedAt, from),
    to === undefined ? undefined : lt(inbox.receivedAt, to),
  );
}

/** Rows in a state. It stands in the statement, not beside it: so the planner knows that its own index serves. */
export function hasState(state: InboxState): SQL {
  return sql`${inbox.state} = ${toLiteral(state)}`;
}

function hasVerdict(verdict: Verdict): SQL {
  return sql`${inbox.verdict} = ${toLiteral(verdict)}`;
}

function toLiteral(value: InboxState | Verdict): SQL {
  return sql.raw(`'${value.replaceAll(/[^a-z-]/g, '')}'`);
}
