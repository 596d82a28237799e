import { type SQL, sql } from 'drizzle-orm';
import { gravestFirst } from '../../domain/reservation/index.js';
import { hour, type Instant } from '../../domain/shared/time.js';
import { timestamptz } from '../columns.js';
import type { HandoverDb } from '../handover.js';
import { openReservations as row } from '../schema.js';
import { type BoardFilter, type Lane, lanes, type Owners } from './list.js';
import { ownersOf } from './list-columns.js';
import { openCondition } from './open-condition.js';
import type { RowHashes } from './open-rows.js';

/** A car is due back from so long before its end. */
const dueBackLeadMs = 2 * hour;

/** Each write makes another one. With its sequence, because a server that lost its last writes gives a transaction's number again. */
export const versionOf = sql<string>`${row}.xmin || '/' || ${row.sequence}`;

/** A place in a lane. */
export interface Ranked {
  lane: Lane;
  reservationId: number;
  /** Of its row: each write makes another one. */
  version: string;
  /** What the lane is about, and sorted by; null: unknown. */
  relevantAt: Instant | null;
  owners: Owners;
}

/**
 * The first `limit` reservations of each lane at `now`, the most urgent first. Lanes read partial indexes, in their order where they can:
 * `attention`, which is short, is sorted, and a filter reads until enough rows match.
 */
export async function rankLanes(
  db: HandoverDb,
  openRows: RowHashes,
  now: Instant,
  filter: BoardFilter,
  limit: number,
): Promise<Ranked[]> {
  const conditions = conditionsAt(now);
  const matches = openCondition(filter, openRows) ?? sql`true`;
  const ranked = sql.join(
    lanes.map((lane) => firstOf(lane, conditions[lane], matches, limit)),
    sql` union all `,
  );
  return db
    .select({
      lane: sql<Lane>`lane`,
      reservationId: sql<number>`id`.mapWith(row.reservationId),
      version: sql<string>`version`,
      relevantAt: sql<Instant | null>`relevant`.mapWith(row.startAt),
      // only an item has an owner
      owners: sql<Owners>`case when lane = 'attention' then ${ownersOf(sql`ranked.id`)} else '{}' end`,
    })
    .from(sql`(${ranked}) as ranked`)
    .orderBy(sql`lane, gravity, sorted, id`);
}

/** How many reservations are in each lane. */
export type LaneCounts = Record<Lane, number>;

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
  const back = timestamptz(now + dueBackLeadMs);
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
      select ${lane}::text as lane, ${row.reservationId} as id, ${versionOf} as version, ${gravity} as gravity,
        ${relevant} as relevant, ${sorted} as sorted
      from ${row} where ${condition} and ${matches} order by ${byGravity}sorted, id limit ${limit})`,
  );
  if (parts.length === 1) return sql.join(parts);
  return sql`(select * from (${sql.join(parts, sql` union all `)}) as parts order by sorted, id limit ${limit})`;
}
