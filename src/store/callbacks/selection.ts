import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { Verdict } from '../../domain/reservation/types.js';
import { inbox } from '../schema.js';
import type { InboxState } from './states.js';
import type { InboxSelection } from './types.js';

/** The condition of a selection on rows of the inbox. */
export function toCondition({
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

/** Rows in a state: a literal, not a parameter, so that the planner can use the partial index of the state. */
export function hasState(state: InboxState): SQL {
  return sql`${inbox.state} = ${toLiteral(state)}`;
}

function hasVerdict(verdict: Verdict): SQL {
  return sql`${inbox.verdict} = ${toLiteral(verdict)}`;
}

function toLiteral(value: InboxState | Verdict): SQL {
  return sql.raw(`'${value.replaceAll(/[^a-z-]/g, '')}'`);
}
