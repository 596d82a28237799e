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
/** After this time with many callbacks lists are checked all the same: a row may be missing. */
const longestWaitMs = 30 * 60_000;

export interface ListsRoundDeps {
  db: HandoverDb;
  log: Logger;
  notify: { client: Client };
  storedRows: StoredRows;
}

/**
 * One round of the rows of lists: the first that ends reads every open reservation, the others those without a row. While
 * many callbacks wait, rows that are stored wait for half an hour at most, and missing ones are read slowly: queries would replay
 * histories before those callbacks, and the SDK may lose a task that meets a query of the same reservation.
 */
export function listsRound({ db, log, notify, storedRows }: ListsRoundDeps) {
  // rows may be of another state: an older backup of the database, or 0.3.0 wrote none meanwhile
  let isFirst = true;
  let dueAt = 0;
  let roundsWithGaps = 0;
  const backlog = new Backlog(db);
  return async (isStopping: () => boolean) => {
    if (Date.now() < dueAt) return;
    if ((await backlog.goesFirst()) && (await storedRows.areComplete())) return;
    // a workflow that never answers must not withhold all others
    const mayLackRows = roundsWithGaps >= mostRoundsWithGaps;
    const rebuilt = await rebuildLists(notify.client, storedRows, {
      all: isFirst,
      async before(row) {
        if (row === 'stored' || (await backlog.isLarge())) await sleep(pauseMs);
        while (row === 'stored' && !isStopping() && (await backlog.goesFirst())) await sleep(pauseMs);
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

/** The callbacks without a verdict. */
class Backlog {
  private read = Promise.resolve(false);
  private readAt = Number.NEGATIVE_INFINITY;
  private largeSince: number | null = null;

  constructor(private readonly db: HandoverDb) {}

  /** Whether many wait, read every five seconds at most. */
  async isLarge(): Promise<boolean> {
    const now = performance.now();
    if (now - this.readAt >= againAfterMs) {
      this.readAt = now;
      this.read = hasUnjudged(this.db, busyFrom);
    }
    const isLarge = await this.read;
    this.largeSince = isLarge ? (this.largeSince ?? now) : null;
    return isLarge;
  }

  /** Whether many wait, and not for too long yet. */
  async goesFirst(): Promise<boolean> {
    return (await this.isLarge()) && performance.now() - (this.largeSince ?? 0) < longestWaitMs;
  }
}
