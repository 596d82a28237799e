import { LRUCache } from 'lru-cache';
import type { HandoverDatabase } from '../handover.js';
import { countLanes, type LaneCounts, readBoard } from './board.js';
import { listClosed } from './closed-list.js';
import { LastOpened } from './last-opened.js';
import type { BoardFilter, ReservationLists } from './list.js';
import { whenListsAreReady } from './lists-ready.js';
import { listOpen } from './open-list.js';
import type { OpenRows } from './open-rows.js';
import { RarelyRead } from './rarely-read.js';

/** Of each the lanes are counted and rows are remembered apart, for as long as it is in use: rows have personal data (L60). */
const mostFilters = 100;
const unusedForMs = 60_000;

interface Readings {
  counts: RarelyRead<LaneCounts>;
  opened: LastOpened;
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
      opened: new LastOpened(openRows.open),
    };
    readings.set(key, known);
    return known;
  };
  return {
    open: whenReady((filter) => listOpen(prompt, openRows, filter)),
    board: whenReady((now, filter = {}) => {
      const { counts, opened } = readingsOf(filter);
      const counted = () => counts.get(() => countLanes(prompt, openRows, now, filter));
      return readBoard(prompt, { ...openRows, open: opened.reading() }, now, filter, counted);
    }),
    closed: (filter) => listClosed(db, filter),
  };
}
