import { Rounds } from '../../inbox/rounds.js';
import type { Alerts } from '../../store/alerts/alerts.js';
import { unsentBookings } from '../../store/bookings/unsent.js';
import { readCompleted } from '../../store/findings/last-reconciliation.js';
import { ReconciliationWatch } from '../../store/findings/watch.js';
import type { HandoverDb } from '../../store/handover.js';
import type { EndedReservations } from '../../store/reservations/ended.js';
import type { StoredRows } from '../../store/reservations/stored-rows.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { HoldWatch } from '../../temporal/client/holds/watch.js';
import { noteEnded } from '../../temporal/client/reservations/note-ended.js';
import { type NotifyDeps, notifyReservation } from '../../temporal/client/reservations/notify.js';
import { rebuildLists } from '../../temporal/client/reservations/rebuild-lists.js';
import type { Logger } from '../log.js';
import type { Stack } from '../startup/stack.js';

const minute = 60_000;
/** Age after which messages that a booking's run left unsent are sent from here; before it, the run may still send them. */
const unsentAfterMs = minute;
const unsentAtOnce = 100;
const listsEveryMs = 10 * minute;
/** Ten queries a second: each may replay a whole history, and a worker that has just started has no workflow in its cache. */
const listsPauseMs = 400;
/** After as many rounds in which workflows gave no answer, lists are shown without their reservations. */
const mostRoundsWithGaps = 5;

export interface RetentionPartDeps {
  db: HandoverDb;
  sealer: Sealer;
  log: Logger;
  notify: NotifyDeps;
  ended: EndedReservations;
  storedRows: StoredRows;
  alerts: Alerts;
  /** Null: switched off. */
  reconcilesEveryMs: number | null;
  /** Whether Temporal is connected: otherwise checks that need it wait. */
  isConnected?: () => boolean;
}

/**
 * Starts the checks of workflows from outside: records workflows that an operator ended, sends messages that their runs
 * left unsent, brings lists in line with open reservations, and watches the reconciliation and the holds.
 */
export async function startRetentionPart(stack: Stack, deps: RetentionPartDeps): Promise<void> {
  const { db, sealer, log, notify, ended, storedRows, alerts, reconcilesEveryMs } = deps;
  const { isConnected = () => true } = deps;
  const watch = new ReconciliationWatch(alerts, reconcilesEveryMs, Date.now());
  // rows may be of another state: an older backup of the database, or 0.3.0 wrote none meanwhile
  let isFirst = true;
  let listsDueAt = 0;
  let roundsWithGaps = 0;
  const holds = new HoldWatch({ db, client: notify.client, alerts });
  const rounds = [
    new Rounds({
      name: 'the watch over the reconciliation',
      log,
      everyMs: minute,
      round: async () => watch.check(await readCompleted(db), Date.now()),
    }),
    new Rounds({
      name: 'the note of reservations whose workflow was ended',
      log,
      everyMs: 30 * minute,
      mayRun: isConnected,
      async round(isStopping) {
        const noted = await noteEnded(notify.client, ended, isStopping);
        if (noted > 0)
          log.warn({ reservations: noted }, 'workflows of reservations were ended before they closed');
      },
    }),
    new Rounds({
      name: 'the rows of lists',
      log,
      everyMs: minute,
      mayRun: isConnected,
      async round(isStopping) {
        if (Date.now() < listsDueAt) return;
        // a workflow that never answers must not withhold all others
        const mayLackRows = roundsWithGaps >= mostRoundsWithGaps;
        const rebuilt = await rebuildLists(notify.client, storedRows, {
          all: isFirst,
          pauseMs: listsPauseMs,
          mayLackRows,
          isStopping,
        });
        if (!isStopping()) isFirst = false;
        const { written, removed, unanswered } = rebuilt;
        if (unanswered > 0) roundsWithGaps += 1;
        if (unanswered === 0 || mayLackRows) listsDueAt = Date.now() + listsEveryMs;
        if (unanswered > 0) log.warn(rebuilt, 'workflows gave no answer about what lists show of them');
        else if (written + removed > 0) log.info(rebuilt, 'lists are in line with open reservations again');
      },
    }),
    new Rounds({
      name: 'the watch over the workflows of holds',
      log,
      everyMs: 30 * minute,
      mayRun: isConnected,
      async round(isStopping) {
        const gone = await holds.check(Date.now(), isStopping);
        if (gone > 0) log.warn({ holds: gone }, 'workflows of open holds are gone');
      },
    }),
    new Rounds({
      name: 'the notification of booked reservations',
      log,
      everyMs: minute,
      mayRun: isConnected,
      async round(isStopping) {
        const before = Date.now() - unsentAfterMs;
        for (const news of await unsentBookings(db, sealer, { before, limit: unsentAtOnce })) {
          if (isStopping()) return;
          await notifyReservation(notify, news);
        }
      },
    }),
  ];
  await stack.start(
    'watch over workflows',
    async () => {
      for (const one of rounds) one.start();
      return rounds;
    },
    async (running) => void (await Promise.all(running.map((one) => one.stop()))),
  );
}
