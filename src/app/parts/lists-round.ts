import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { hasUnjudged } from '../../store/callbacks/backlog.js';
import type { HandoverDb } from '../../store/handover.js';
import type { StoredRows } from '../../store/reservations/stored-rows.js';
import { rebuildLists } from '../../temporal/client/reservations/rebuild-lists.js';
import type { Logger } from '../log.js';

const everyMs = 10 * 60_000;
/** Ten queries a second: each may replay a whole history, and a worker that has just started has no workflow in its cache. */
const pauseMs = 400;
/** After as many rounds in which workflows gave no answer, lists are shown without their reservations. */
const mostRoundsWithGaps = 5;
/** From so many callbacks without a verdict on, workers have more to do than lists that are in line already. */
const busyFrom = 1_000;
const againAfterMs = 5_000;

export interface ListsRoundDeps {
  db: HandoverDb;
  log: Logger;
  notify: { client: Client };
  storedRows: StoredRows;
}

/**
 * One round of the rows of lists: the first that ends reads every open reservation, the others those without a row. While
 * many callbacks wait, complete lists are left as they are: queries would replay histories before those callbacks, and the
 * SDK may lose a task that meets a query of the same reservation.
 */
export function listsRound({ db, log, notify, storedRows }: ListsRoundDeps) {
  // rows may be of another state: an older backup of the database, or 0.3.0 wrote none meanwhile
  let isFirst = true;
  let dueAt = 0;
  let roundsWithGaps = 0;
  const quiet = quietTimes(db);
  return async (isStopping: () => boolean) => {
    if (Date.now() < dueAt) return;
    if (!(await quiet()) && (await storedRows.areComplete())) return;
    // a workflow that never answers must not withhold all others
    const mayLackRows = roundsWithGaps >= mostRoundsWithGaps;
    const rebuilt = await rebuildLists(notify.client, storedRows, {
      all: isFirst,
      async pause() {
        do await sleep(pauseMs);
        while (!isStopping() && !(await quiet()));
      },
      mayLackRows,
      isStopping,
    });
    // cut short: the next round repeats it
    if (isStopping()) return;
    isFirst = false;
    const { written, removed, unanswered } = rebuilt;
    if (unanswered > 0) roundsWithGaps += 1;
    if (unanswered === 0 || mayLackRows) dueAt = Date.now() + everyMs;
    if (unanswered > 0) log.warn(rebuilt, 'workflows did not answer the query for their list rows');
    else if (written + removed > 0) log.info(rebuilt, 'lists are in line with open reservations again');
  };
}

/** Whether few callbacks wait, read every five seconds at most. */
function quietTimes(db: HandoverDb): () => Promise<boolean> {
  let read = Promise.resolve(true);
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - readAt >= againAfterMs) {
      readAt = now;
      read = hasUnjudged(db, busyFrom).then((isBusy) => !isBusy);
    }
    return read;
  };
}
