import { setImmediate as nextTurn } from 'node:timers/promises';
import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { gravestFirst } from '../../domain/reservation/index.js';
import { hour, type Instant } from '../../domain/shared/time.js';
import type { HandoverDb } from '../handover.js';
import { openReservations as row } from '../schema.js';
import { type Board, type BoardFilter, type BoardItem, type Lane, lanes } from './list.js';
import { ownersOf, periodOf } from './list-columns.js';
import { openCondition } from './open-condition.js';
import type { OpenRows, RowHashes } from './open-rows.js';

/** The others are searched by, not shown. */
const { plate, plateEnd, names, persons, writtenAt, ...columns } = getTableColumns(row);

/** Of each lane, where the filter has no limit. */
const usualItems = 40;
/** A car is due back from so long before its end. */
const dueBackLeadMs = 2 * hour;

/** How many reservations are in each lane. */
export type LaneCounts = Record<Lane, number>;

/**
 * Which open reservations call for what at `now`, the most urgent of each lane first. Lanes read partial indexes, in their order where they
 * can: `attention`, which is short, is sorted, and a filter reads until enough rows match.
 * @param counted how many are in each lane; called where a lane may have more than it shows
 */
export async function readBoard(
  db: HandoverDb,
  openRows: RowHashes & Pick<OpenRows, 'open'>,
  now: Instant,
  filter: BoardFilter = {},
  counted = () => countLanes(db, openRows, now, filter),
): Promise<Board> {
  const conditions = conditionsAt(now);
  const matches = openCondition(filter, openRows) ?? sql`true`;
  const limit = filter.limit ?? usualItems;
  const found = await db
    .select({
      ...columns,
      owners: ownersOf,
      lane: sql<Lane>`first.lane`,
      relevantAt: sql<Instant | null>`first.relevant`.mapWith(row.startAt),
    })
    .from(
      sql`(${sql.join(
        lanes.map((lane) => firstOf(lane, conditions[lane], matches, limit)),
        sql` union all `,
      )}) as first`,
    )
    .innerJoin(row, eq(row.reservationId, sql`first.id`))
    .orderBy(sql`first.lane`, sql`first.gravity`, sql`first.sorted`, row.reservationId);
  const shown = new Map(lanes.map((lane) => [lane, found.filter((one) => one.lane === lane)]));
  const isFull = [...shown.values()].some(({ length }) => length >= limit);
  const counts = isFull ? await counted() : undefined;
  const board: Partial<Board> = {};
  for (const lane of lanes) {
    const rows = shown.get(lane) ?? [];
    const count = rows.length < limit ? rows.length : Math.max(counts?.[lane] ?? 0, rows.length);
    // 200 rows opened at once would delay a callback by some milliseconds
    await nextTurn();
    board[lane] = { count, items: rows.map((one) => itemOf(one, openRows)) };
  }
  return board as Board;
}

/** Reads every row. */
export async function countLanes(
  db: HandoverDb,
  openRows: RowHashes,
  now: Instant,
  filter: BoardFilter,
): Promise<LaneCounts> {
  const conditions = conditionsAt(now);
  const counts = lanes.map((lane) => {
    const inLane = sql.join(conditions[lane], sql` or `);
    return [lane, sql<number>`count(*) filter (where ${inLane})`.mapWith(Number)];
  });
  const [counted] = await db
    .select(Object.fromEntries(counts) as Record<Lane, SQL<number>>)
    .from(row)
    .where(openCondition(filter, openRows));
  return counted ?? (Object.fromEntries(lanes.map((lane) => [lane, 0])) as LaneCounts);
}

/** Where the end is unknown, the car is out, or due back once it is in use. */
const end = sql`coalesce(${row.endAt}, 'infinity'::timestamptz)`;

/**
 * What puts a reservation in a lane: in one, or in none after its end and while no status is known. Each condition of a lane is of the form that
 * its index has, and one row fits one of them.
 */
function conditionsAt(now: Instant): Record<Lane, SQL[]> {
  const back = sql`${new Date(now + dueBackLeadMs).toISOString()}::timestamptz`;
  const isOut = sql`${row.status} in (15, 20, 25) and ${row.attention} = '[]'`;
  return {
    attention: [sql`${row.attention} <> '[]'`],
    dueOut: [sql`${row.status} in (5, 10) and ${row.attention} = '[]'`],
    out: [sql`${isOut} and ${end} > ${back} and (${row.endAt} is not null or ${row.status} <> 25)`],
    dueBack: [
      sql`${isOut} and ${end} <= ${back}`,
      sql`${isOut} and ${end} = 'infinity' and ${row.status} = 25`,
    ],
    toRecall: [sql`${row.status} = 30 and ${row.attention} = '[]'`],
  };
}

interface Order {
  gravity: SQL;
  relevant: SQL;
  /** As the index of the lane has it. */
  sorted: SQL;
}

const first = sql`${row.attention} -> 0`;
const gravities = sql.raw(`array['${gravestFirst.join("', '")}']`);
const byEnd = { gravity: sql`0`, relevant: sql`${row.endAt}`, sorted: end };
const orders: Record<Lane, Order> = {
  attention: {
    gravity: sql`coalesce(array_position(${gravities}, ${first} ->> 'kind'), 99)`,
    relevant: sql`case when ${row.status} in (5, 10) then ${row.startAt} when ${row.status} in (15, 20, 25) then ${row.endAt}
      else ${row.since} end`,
    sorted: sql`to_timestamp((${first} ->> 'since')::bigint / 1000.0)`,
  },
  dueOut: { gravity: sql`0`, relevant: sql`${row.startAt}`, sorted: sql`${row.startAt}` },
  out: byEnd,
  dueBack: byEnd,
  toRecall: { gravity: sql`0`, relevant: sql`${row.since}`, sorted: sql`${row.since}` },
};

/** The first rows of a lane under each of its conditions. */
function firstOf(lane: Lane, conditions: SQL[], matches: SQL, limit: number): SQL {
  const { gravity, relevant, sorted } = orders[lane];
  const byGravity = lane === 'attention' ? sql`gravity, ` : sql``;
  const parts = conditions.map(
    (condition) => sql`(
      select ${lane}::text as lane, ${row.reservationId} as id, ${gravity} as gravity, ${relevant} as relevant, ${sorted} as sorted
      from ${row} where ${condition} and ${matches} order by ${byGravity}sorted, id limit ${limit})`,
  );
  if (parts.length === 1) return sql.join(parts);
  return sql`(select * from (${sql.join(parts, sql` union all `)}) as parts order by sorted, id limit ${limit})`;
}

type Found = Omit<typeof row.$inferSelect, 'plate' | 'plateEnd' | 'names' | 'persons' | 'writtenAt'> &
  Pick<BoardItem, 'relevantAt' | 'owners'> & { lane: Lane };

/** Names each member: copying the rest of an object takes 3 µs a row in place of 0.05, and consoles read 200 rows after each change. */
function itemOf(found: Found, openRows: Pick<OpenRows, 'open'>): BoardItem {
  return {
    reservationId: found.reservationId,
    sequence: found.sequence,
    status: found.status,
    grade: found.grade,
    since: found.since,
    carId: found.carId,
    companyId: found.companyId,
    productId: found.productId,
    period: periodOf(found),
    attention: found.attention,
    next: found.next,
    unknownCommands: found.unknownCommands,
    waitingCommands: found.waitingCommands,
    atRisk: found.atRisk,
    relevantAt: found.relevantAt,
    owners: found.owners,
    private: openRows.open(found.reservationId, found.personal),
  };
}
