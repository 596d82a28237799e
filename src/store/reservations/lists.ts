import type { HandoverDatabase } from '../handover.js';
import { readBoard } from './board.js';
import { listClosed } from './closed-list.js';
import type { ReservationLists } from './list.js';
import { whenListsAreReady } from './lists-ready.js';
import { listOpen } from './open-list.js';
import type { OpenRows } from './open-rows.js';

export function createReservationLists(
  { db, prompt }: Pick<HandoverDatabase, 'db' | 'prompt'>,
  openRows: OpenRows,
): ReservationLists {
  const whenReady = whenListsAreReady(prompt);
  return {
    open: whenReady((filter) => listOpen(prompt, openRows, filter)),
    board: whenReady((now, filter) => readBoard(prompt, openRows, now, filter)),
    closed: (filter) => listClosed(db, filter),
  };
}
