import { LRUCache } from 'lru-cache';
import type { HandoverDatabase } from '../handover.js';
import { countLanes, type LaneCounts, readBoard } from './board.js';
import { listClosed } from './closed-list.js';
import type { BoardFilter, ReservationLists } from './list.js';
import { whenListsAreReady } from './lists-ready.js';
import { listOpen } from './open-list.js';
import type { OpenRows } from './open-rows.js';
import { RarelyRead } from './rarely-read.js';

/** Of each the lanes are counted apart. */
const mostFilters = 100;

export function createReservationLists(
  { db, prompt }: Pick<HandoverDatabase, 'db' | 'prompt'>,
  openRows: OpenRows,
): ReservationLists {
  const whenReady = whenListsAreReady(prompt);
  const counts = new LRUCache<string, RarelyRead<LaneCounts>>({ max: mostFilters });
  const countsOf = ({ limit: _, ...filter }: BoardFilter) => {
    const key = JSON.stringify(filter);
    const known = counts.get(key) ?? new RarelyRead<LaneCounts>();
    counts.set(key, known);
    return known;
  };
  return {
    open: whenReady((filter) => listOpen(prompt, openRows, filter)),
    board: whenReady((now, filter = {}) => {
      const counted = () => countsOf(filter).get(() => countLanes(prompt, openRows, now, filter));
      return readBoard(prompt, openRows, now, filter, counted);
    }),
    closed: (filter) => listClosed(db, filter),
  };
}
