import { setImmediate as nextTurn } from 'node:timers/promises';
import { getTableColumns, sql } from 'drizzle-orm';
import type { Instant } from '../../domain/shared/time.js';
import type { HandoverDb } from '../handover.js';
import { openReservations as row } from '../schema.js';
import { countLanes, rankLanes, versionOf } from './lanes.js';
import { LastRead } from './last-read.js';
import { type Board, type BoardFilter, type BoardItem, lanes } from './list.js';
import { periodOf } from './list-columns.js';
import type { OpenRows, RowHashes } from './open-rows.js';

/** The others are searched by, not shown. */
const { plate, plateEnd, names, persons, writtenAt, ...columns } = getTableColumns(row);

/** Of each lane, where the filter has no limit. */
const usualItems = 40;

/** What the board shows of a reservation, whichever its place. */
export type BoardRow = Omit<BoardItem, 'relevantAt' | 'owners'> & { version: string };

interface Reading {
  /** How many are in each lane; called where a lane may have more than it shows. */
  counted: () => ReturnType<typeof countLanes>;
  lastRead: LastRead<BoardRow>;
}

/** Which open reservations call for what at `now`, the most urgent of each lane first. */
export async function readBoard(
  db: HandoverDb,
  openRows: RowHashes & Pick<OpenRows, 'open'>,
  now: Instant,
  filter: BoardFilter = {},
  { counted = () => countLanes(db, openRows, now, filter), lastRead = new LastRead() }: Partial<Reading> = {},
): Promise<Board> {
  const limit = filter.limit ?? usualItems;
  const ranked = await rankLanes(db, openRows, now, filter, limit);
  const rows = await lastRead.read(ranked, (ids) => readRows(db, openRows, ids));
  const placed = lanes.map((lane) => ranked.filter((one) => one.lane === lane));
  const counts = placed.some(({ length }) => length >= limit) ? await counted() : undefined;
  const shown = lanes.map((lane, at) => {
    const places = placed[at] ?? [];
    const count = places.length < limit ? places.length : Math.max(counts?.[lane] ?? 0, places.length);
    const items = places.flatMap(({ reservationId, relevantAt, owners }) => {
      const found = rows.get(reservationId);
      return found === undefined ? [] : [itemOf(found, { relevantAt, owners })];
    });
    return [lane, { count, items }];
  });
  return Object.fromEntries(shown) as Board;
}

/** 200 rows opened at once would delay a callback by some milliseconds. */
const rowsPerTurn = 40;

async function readRows(
  db: HandoverDb,
  openRows: Pick<OpenRows, 'open'>,
  reservationIds: readonly number[],
): Promise<BoardRow[]> {
  const found = await db
    .select({ ...columns, version: versionOf })
    .from(row)
    .where(sql`${row.reservationId} = any(${`{${reservationIds}}`}::bigint[])`);
  const opened: BoardRow[] = [];
  for (const [at, { personal, startAt, endAt, ...shown }] of found.entries()) {
    if (at % rowsPerTurn === 0) await nextTurn();
    const period = periodOf({ startAt, endAt });
    opened.push({ ...shown, period, private: openRows.open(shown.reservationId, personal) });
  }
  return opened;
}

type Place = Pick<BoardItem, 'relevantAt' | 'owners'>;

/** Names each member: copying the rest of an object takes 3 µs a row in place of 0.05, and consoles read 200 rows after each change. */
function itemOf(found: BoardRow, { relevantAt, owners }: Place): BoardItem {
  return {
    reservationId: found.reservationId,
    sequence: found.sequence,
    status: found.status,
    grade: found.grade,
    since: found.since,
    carId: found.carId,
    companyId: found.companyId,
    productId: found.productId,
    period: found.period,
    attention: found.attention,
    next: found.next,
    unknownCommands: found.unknownCommands,
    waitingCommands: found.waitingCommands,
    atRisk: found.atRisk,
    relevantAt,
    owners,
    private: found.private,
  };
}
