import type { HandoverDatabase } from '../handover.js';
import { readBoard } from './board.js';
import { listClosed } from './closed-list.js';
import type { ReservationLists } from './list.js';
import { listOpen } from './open-list.js';
import type { OpenRows } from './open-rows.js';

export function createReservationLists(
  { db, prompt }: Pick<HandoverDatabase, 'db' | 'prompt'>,
  openRows: OpenRows,
): ReservationLists {
  return {
    open: (filter) => listOpen(prompt, openRows, filter),
    board: (now, filter) => readBoard(prompt, openRows, now, filter),
    closed: (filter) => listClosed(db, filter),
  };
}
