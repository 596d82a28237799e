import { Rounds } from '../../inbox/rounds.js';
import type { Alerts } from '../../store/alerts/alerts.js';
import { unsentBooking, unsentBookings } from '../../store/bookings/unsent.js';
import type { Session } from '../../store/connection/session.js';
import { readCompleted } from '../../store/findings/last-reconciliation.js';
import { ReconciliationWatch } from '../../store/findings/watch.js';
import type { HandoverDb } from '../../store/handover.js';
import type { EndedReservations } from '../../store/reservations/ended.js';
import type { StoredRows } from '../../store/reservations/stored-rows.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { HoldWatch } from '../../temporal/client/holds/watch.js';
import { noteEnded } from '../../temporal/client/reservations/note-ended.js';
import { type NotifyDeps, notifyReservation } from '../../temporal/client/reservations/notify.js';
import type { Logger } from '../log.js';
import type { Stack } from '../startup/stack.js';
import { listsCheck } from './lists-check.js';
import { listsRepair } from './lists-repair.js';

const minute = 60_000;
/** After so long another process takes the check of lists over. */
const checkEveryMs = 30_000;
/** Age after which messages that a booking's run left unsent are sent from here; before it, the run may still send them. */
const unsentAfterMs = minute;

export interface WorkflowWatchDeps {
  db: HandoverDb;
  /** For the lease of what one process does for all. */
  session: () => Promise<Session>;
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
export async function startWorkflowWatch(stack: Stack, deps: WorkflowWatchDeps): Promise<void> {
  const { db, sealer, log, notify, ended, alerts, reconcilesEveryMs, isConnected = () => true } = deps;
  const watch = new ReconciliationWatch(alerts, reconcilesEveryMs, Date.now());
  const holds = new HoldWatch({ db, client: notify.client, alerts });
  const notifyOf = async (commandId: string) => {
    const news = await unsentBooking(db, sealer, commandId);
    if (news !== undefined) await notifyReservation(notify, news);
  };
  const checks = [
    {
      name: 'the note of reservations whose workflow was ended',
      everyMs: 30 * minute,
      async round(isStopping: () => boolean) {
        const noted = await noteEnded(notify.client, ended, isStopping);
        if (noted > 0)
          log.warn({ reservations: noted }, 'workflows of reservations were ended before they closed');
      },
    },
    { name: 'the repair of lists', everyMs: minute, round: listsRepair(deps) },
    { name: 'the check of lists', everyMs: checkEveryMs, round: listsCheck(deps) },
    {
      name: 'the watch over the workflows of holds',
      everyMs: 30 * minute,
      async round(isStopping: () => boolean) {
        const gone = await holds.check(Date.now(), isStopping);
        if (gone > 0) log.warn({ holds: gone }, 'workflows of open holds are gone');
      },
    },
    {
      name: 'the notification of booked reservations',
      everyMs: minute,
      async round(isStopping: () => boolean) {
        let failed: unknown;
        for await (const commandId of unsentBookings(db, Date.now() - unsentAfterMs)) {
          if (isStopping()) return;
          await notifyOf(commandId).catch((error: unknown) => {
            failed ??= error;
          });
        }
        if (failed !== undefined) throw failed;
      },
    },
  ];
  const rounds = [
    new Rounds({
      name: 'the watch over the reconciliation',
      log,
      everyMs: minute,
      round: async () => watch.check(await readCompleted(db), Date.now()),
    }),
    ...checks.map((check) => new Rounds({ ...check, log, mayRun: isConnected })),
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
