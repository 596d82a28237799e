import { LRUCache } from 'lru-cache';
import type { HandoverDatabase } from '../handover.js';
import { type BoardRow, readBoard } from './board.js';
import { listClosed } from './closed-list.js';
import { countLanes, type LaneCounts } from './lanes.js';
import { LastRead } from './last-read.js';
import type { BoardFilter, ReservationLists } from './list.js';
import { whenListsAreReady } from './lists-ready.js';
import { listOpen } from './open-list.js';
import type { OpenRows } from './open-rows.js';
import { RarelyRead } from './rarely-read.js';

/** Each filter has its own counts and its own remembered rows, forgotten a minute after their last use: rows have personal data (L60). */
const mostFilters = 100;
const unusedForMs = 60_000;

interface Readings {
  counts: RarelyRead<LaneCounts>;
  lastRead: LastRead<BoardRow>;
}

export function createReservationLists(
  { db, prompt }: Pick<HandoverDatabase, 'db' | 'prompt'>,
  openRows: OpenRows,
): ReservationLists {
  const whenReady = whenListsAreReady(prompt);
  const readings = new LRUCache<string, Readings>({
    max: mostFilters,
    ttl: unusedForMs,
    ttlAutopurge: true,
  });
  const readingsOf = ({ limit: _, ...filter }: BoardFilter) => {
    const key = JSON.stringify(filter);
    const known = readings.get(key) ?? {
      counts: new RarelyRead<LaneCounts>(),
      lastRead: new LastRead<BoardRow>(),
    };
    readings.set(key, known);
    return known;
  };
  return {
    open: whenReady((filter) => listOpen(prompt, openRows, filter)),
    board: whenReady((now, filter = {}) => {
      const { counts, lastRead } = readingsOf(filter);
      const counted = () => counts.get(() => countLanes(prompt, openRows, now, filter));
      return readBoard(prompt, openRows, now, filter, { counted, lastRead });
    }),
    closed: (filter) => listClosed(db, filter),
  };
}
