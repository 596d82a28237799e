import { eq, getTableColumns, sql } from 'drizzle-orm';
import { gravestFirst } from '../../domain/reservation/index.js';
import { hour, type Instant } from '../../domain/shared/time.js';
import type { HandoverDb } from '../handover.js';
import { attentionClaims, openReservations as row } from '../schema.js';
import { type Board, type BoardItem, type Lane, lanes } from './list.js';
import { periodOf } from './list-columns.js';
import type { OpenRows } from './open-rows.js';

/** The others are searched by, not shown. */
const { plate, plateEnd, writtenAt, ...columns } = getTableColumns(row);

/** Of each lane. */
const mostItems = 40;
/** A car is due back from so long before its end. */
const dueBackLeadMs = 2 * hour;

/** Which open reservations call for what at `now`, the most urgent of each lane first; by one statement. */
export async function readBoard(
  db: HandoverDb,
  openRows: Pick<OpenRows, 'open'>,
  now: Instant,
): Promise<Board> {
  const found = await db
    .select({
      ...columns,
      owners: ownersOf,
      lane: sql<Lane>`ranked.lane`,
      relevantAt: sql<Instant | null>`ranked.relevant`.mapWith(row.startAt),
      count: sql<number>`ranked.total`.mapWith(Number),
    })
    .from(rankedAt(now))
    .innerJoin(row, eq(row.reservationId, sql`ranked.id`))
    .where(sql`ranked.place <= ${mostItems}`)
    .orderBy(sql`ranked.lane`, sql`ranked.place`);
  const laneOf = (lane: Lane) => {
    const rows = found.filter((one) => one.lane === lane);
    return { count: rows[0]?.count ?? 0, items: rows.map((one) => itemOf(one, openRows)) };
  };
  return Object.fromEntries(lanes.map((lane) => [lane, laneOf(lane)])) as Board;
}

const ownersOf = sql<BoardItem['owners']>`coalesce((
  select jsonb_object_agg(c.kind, c.owner) from ${attentionClaims} c where c.reservation_id = ${row.reservationId}), '{}')`;

/** Each reservation in one lane, or in none: after its end, and while no status is known. */
function rankedAt(now: Instant) {
  const back = new Date(now + dueBackLeadMs).toISOString();
  const first = sql`${row.attention} -> 0`;
  const raisedAt = sql`to_timestamp((${first} ->> 'since')::bigint / 1000.0)`;
  const gravity = sql.raw(`array['${gravestFirst.join("', '")}']`);
  return sql`(
    select placed.*, count(*) over (partition by lane) as total,
      row_number() over (partition by lane order by gravity, sorted, id) as place
    from (
      select ${row.reservationId} as id, relevant, lane,
        case when lane = 'attention' then coalesce(array_position(${gravity}, ${first} ->> 'kind'), 99) end as gravity,
        case when lane = 'attention' then ${raisedAt} else relevant end as sorted
      from ${row}, lateral (
        select case
          when jsonb_array_length(${row.attention}) > 0 then 'attention'
          when ${row.status} in (5, 10) then 'dueOut'
          when ${row.status} in (15, 20, 25) then
            case when coalesce(${row.endAt} <= ${back}::timestamptz, ${row.status} = 25) then 'dueBack' else 'out' end
          when ${row.status} = 30 then 'toRecall' end as lane,
        case
          when ${row.status} in (5, 10) then ${row.startAt}
          when ${row.status} in (15, 20, 25) then ${row.endAt}
          else ${row.since} end as relevant
      ) as what
      where lane is not null
    ) as placed
  ) as ranked`;
}

type Found = Omit<typeof row.$inferSelect, 'plate' | 'plateEnd' | 'writtenAt'> &
  Pick<BoardItem, 'relevantAt' | 'owners'> & { lane: Lane; count: number };

function itemOf(found: Found, openRows: Pick<OpenRows, 'open'>): BoardItem {
  const { lane, count, startAt, endAt, personal, ...item } = found;
  return {
    ...item,
    period: periodOf({ startAt, endAt }),
    private: openRows.open(item.reservationId, personal),
  };
}
