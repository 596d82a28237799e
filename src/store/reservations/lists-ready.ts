import type { HandoverDb } from '../handover.js';
import { listsCompleted } from '../schema.js';

/** After an update from 0.3.0, open reservations have no rows yet: lists would be empty or partial. */
export class ListsNotReadyError extends Error {
  override readonly name = 'ListsNotReadyError';
}

/** @returns makes what reads rows of lists throw `ListsNotReadyError` until each open reservation has its row */
export function whenListsAreReady(
  db: HandoverDb,
): <Args extends unknown[], R>(read: (...args: Args) => Promise<R>) => (...args: Args) => Promise<R> {
  let isReady = false;
  return (read) =>
    async (...args) => {
      isReady ||= (await db.select().from(listsCompleted)).length > 0;
      if (!isReady) throw new ListsNotReadyError('lists are being rebuilt');
      return read(...args);
    };
}
