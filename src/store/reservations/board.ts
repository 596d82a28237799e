import { type AnyColumn, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { gravestFirst } from '../../domain/reservation/index.js';
import { hour, type Instant } from '../../domain/shared/time.js';
import type { HandoverDb } from '../handover.js';
import { attentionClaims, openReservations as row } from '../schema.js';
import { type Board, type BoardFilter, type BoardItem, type Lane, lanes } from './list.js';
import { periodOf } from './list-columns.js';
import { openCondition } from './open-condition.js';
import type { OpenRows } from './open-rows.js';

/** The others are searched by, not shown. */
const { plate, plateEnd, names, persons, writtenAt, ...columns } = getTableColumns(row);

/** Of each lane, where the filter has no limit. */
const usualItems = 40;
/** A car is due back from so long before its end. */
const dueBackLeadMs = 2 * hour;

/** Which open reservations call for what at `now`, the most urgent of each lane first; by one statement. */
export async function readBoard(
  db: HandoverDb,
  openRows: Pick<OpenRows, 'open' | 'plates' | 'names'>,
  now: Instant,
  filter: BoardFilter = {},
): Promise<Board> {
  const conditions = conditionsAt(now);
  const matches = openCondition(filter, openRows) ?? sql`true`;
  const found = await db
    .select({
      ...columns,
      owners: ownersOf,
      lane: sql<Lane>`first.lane`,
      relevantAt: sql<Instant | null>`first.relevant`.mapWith(row.startAt),
      count: sql<number>`to_jsonb(counted) ->> first.lane`.mapWith(Number),
    })
    .from(
      sql`(${sql.join(
        lanes.map((lane) => firstOf(lane, conditions, matches, filter.limit ?? usualItems)),
        sql` union all `,
      )}) as first`,
    )
    .innerJoin(countedBy(conditions, matches), sql`true`)
    .innerJoin(row, eq(row.reservationId, sql`first.id`))
    .orderBy(sql`first.lane`, sql`first.gravity`, sql`first.sorted`, row.reservationId);
  const laneOf = (lane: Lane) => {
    const rows = found.filter((one) => one.lane === lane);
    return { count: rows[0]?.count ?? 0, items: rows.map((one) => itemOf(one, openRows)) };
  };
  return Object.fromEntries(lanes.map((lane) => [lane, laneOf(lane)])) as Board;
}

const ownersOf = sql<BoardItem['owners']>`coalesce((
  select jsonb_object_agg(c.kind, c.owner) from ${attentionClaims} c where c.reservation_id = ${row.reservationId}), '{}')`;

const hasAttention = sql`${row.attention} <> '[]'`;

/** What puts a reservation in a lane: in one, or in none after its end and while no status is known. */
function conditionsAt(now: Instant): Record<Lane, SQL> {
  const back = new Date(now + dueBackLeadMs).toISOString();
  const isDueBack = sql`coalesce(${row.endAt} <= ${back}::timestamptz, ${row.status} = 25)`;
  const isOut = sql`${row.status} in (15, 20, 25) and not ${hasAttention}`;
  return {
    attention: hasAttention,
    dueOut: sql`${row.status} in (5, 10) and not ${hasAttention}`,
    out: sql`${isOut} and not ${isDueBack}`,
    dueBack: sql`${isOut} and ${isDueBack}`,
    toRecall: sql`${row.status} = 30 and not ${hasAttention}`,
  };
}

const relevantIn = { dueOut: row.startAt, out: row.endAt, dueBack: row.endAt, toRecall: row.since };

/** Each lane is sorted alone, so that the database retains only these rows while it reads, and does not sort all of them. */
function firstOf(lane: Lane, conditions: Record<Lane, SQL>, matches: SQL, limit: number): SQL {
  const { gravity, relevant, sorted } = lane === 'attention' ? byGravity : byMoment(relevantIn[lane]);
  return sql`(
    select ${lane}::text as lane, ${row.reservationId} as id, ${gravity} as gravity, ${relevant} as relevant, ${sorted} as sorted
    from ${row} where ${conditions[lane]} and ${matches} order by gravity, sorted, id limit ${limit})`;
}

const byMoment = (moment: AnyColumn) => ({
  gravity: sql`0`,
  relevant: sql`${moment}`,
  sorted: sql`${moment}`,
});
const first = sql`${row.attention} -> 0`;
const gravities = sql.raw(`array['${gravestFirst.join("', '")}']`);
const byGravity = {
  gravity: sql`coalesce(array_position(${gravities}, ${first} ->> 'kind'), 99)`,
  relevant: sql`case when ${row.status} in (5, 10) then ${row.startAt} when ${row.status} in (15, 20, 25) then ${row.endAt}
    else ${row.since} end`,
  sorted: sql`to_timestamp((${first} ->> 'since')::bigint / 1000.0)`,
};

/** In one row, so that the database does not expect many and compile the statement, which takes longer than to run it. */
function countedBy(conditions: Record<Lane, SQL>, matches: SQL): SQL {
  const counts = lanes.map(
    (lane) => sql`count(*) filter (where ${conditions[lane]}) as ${sql.identifier(lane)}`,
  );
  return sql`(select ${sql.join(counts, sql`, `)} from ${row} where ${matches}) as counted`;
}

type Found = Omit<typeof row.$inferSelect, 'plate' | 'plateEnd' | 'names' | 'persons' | 'writtenAt'> &
  Pick<BoardItem, 'relevantAt' | 'owners'> & { lane: Lane; count: number };

function itemOf(found: Found, openRows: Pick<OpenRows, 'open'>): BoardItem {
  const { lane, count, startAt, endAt, personal, ...item } = found;
  return {
    ...item,
    period: periodOf({ startAt, endAt }),
    private: openRows.open(item.reservationId, personal),
  };
}
