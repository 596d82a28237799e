import { Context, cancellationSignal, log } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { reservationWorkflowId } from '../src/contract/names.js';
import type { ReconciliationActivities, SliceActivity } from '../src/contract/reconciliation.js';
import { scheduledSignal } from '../src/contract/reservation.js';
import { commandRole } from '../src/contract/role.js';
import type { UnreadOf } from '../src/domain/reconciliation/index.js';
import { forEach } from '../src/domain/shared/for-each.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import type { Alerts } from '../src/store/alerts/alerts.js';
import { message } from '../src/store/alerts/messages/message.js';
import { databaseErrorCode, isDataError } from '../src/store/connection/errors.js';
import { alertOfUndiscovered } from '../src/store/findings/alert.js';
import { markNotified, waitingNotices } from '../src/store/findings/checks.js';
import { storeEntries } from '../src/store/findings/entries.js';
import { markCompleted } from '../src/store/findings/last-reconciliation.js';
import { storeSlice } from '../src/store/findings/reads.js';
import { reconcileReading } from '../src/store/findings/reconcile.js';
import type { HandoverDb } from '../src/store/handover.js';
import { closedReservations } from '../src/store/reservations/closed-believed.js';
import { openReservations } from '../src/temporal/client/reservations/believed.js';
import { signalIfOpen } from '../src/temporal/client/signal-if-open.js';
import type { RoleDeps } from './role.js';
import { scanRead } from './scan.js';
import { type ReadSchedules, readGroups } from './shared/schedules.js';

export interface ReconciliationDeps {
  client: Client;
  db: HandoverDb;
  alerts: Pick<Alerts, 'raise' | 'clear' | 'reword'>;
}

/** Reservations notified by one activity, and at once. */
const perBatch = 200;
const atOnce = 8;
const heartbeatMs = 5_000;
const stuck = { kind: 'reconciliation-stuck', subject: '' } as const;

/** Compares a reading of the schedule with the reservations, and notifies them (F41-F50). */
export function reconciliationActivities({
  client,
  db,
  alerts,
}: ReconciliationDeps): ReconciliationActivities {
  const notify = async ({ reservationId, notice }: Awaited<ReturnType<typeof waitingNotices>>[number]) => {
    try {
      await signalIfOpen(client, reservationWorkflowId(reservationId), scheduledSignal, notice.evidence);
      return true;
    } catch (error) {
      // a reservation that cannot be notified delays no other, and waits for the next reconciliation
      log.warn('a reservation was not notified of its schedule', {
        reservationId,
        error: (error as Error).name,
      });
      return false;
    }
  };
  return {
    compareSchedule: (input) =>
      withHeartbeat(async () => {
        const [first, last] = [input.slices[0], input.slices.at(-1)];
        const period = { from: first?.from ?? input.at, to: last?.to ?? input.at };
        // open ones first: one that closes meanwhile is found open
        const open = await openReservations(client, () => Context.current().heartbeat());
        const closed = await closedReservations(db, period);
        const stillOpen = new Set(open.map(({ reservationId }) => reservationId));
        const ended = closed.filter(({ reservationId }) => !stillOpen.has(reservationId));
        const result = await reconcileReading(db, input, [...open, ...ended]);
        await markCompleted(db, Date.now());
        await alertOfUndiscovered(db, alerts, Date.now());
        await alerts.clear({ ...stuck, at: Date.now() });
        return result;
      }),
    async reconciliationStuck({ at, code }) {
      const alert = { ...stuck, message: message('alert.reconciliation-stuck', { code }) };
      if (!(await alerts.raise({ ...alert, at }))) await alerts.reword(alert);
    },
    tellReservations: ({ after }) =>
      withHeartbeat(async () => {
        const notices = await waitingNotices(db, { after, limit: perBatch });
        const notified: typeof notices = [];
        await forEach(notices, atOnce, async (next) => {
          if (await notify(next)) notified.push(next);
        });
        await markNotified(db, notified);
        return notices.length < perBatch ? null : (notices.at(-1)?.reservationId ?? null);
      }),
  };
}

/** Heartbeats, so that a lost worker is noticed within seconds, however long the work takes. */
async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const beating = setInterval(() => context.heartbeat(), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(beating);
  }
}

/** An answer about every car takes longer than one about a reservation; writing it takes 30 s at most. */
const readWithinMs = 45_000;

/** GET /schedule of some days (G18): its entries go into the database, for they may be tens of thousands. */
export function sliceActivity(platform: PlatformClient, roles: RoleDeps, db: HandoverDb): SliceActivity {
  const read = scanRead(roles);
  return {
    async readScheduleSlice({ run, index, slice }) {
      const { startDate, endDate } = slice;
      const at = Date.now();
      const groups = await read(commandRole, () =>
        platform.listSchedules(
          { startDate, endDate },
          {
            as: commandRole,
            signal: cancellationSignal(),
            deadlineMs: readWithinMs,
            until: at + readWithinMs,
          },
        ),
      );
      const { entries, unread } = readGroups(groups);
      const ofType = (type: string) =>
        entries
          .filter(({ scheduleType }) => scheduleType === type)
          .map(({ scheduleId, carId, startAt, endAt }) => ({
            scheduleId,
            carId,
            start: startAt,
            end: endAt,
          }));
      const ofReservations = ofType('R');
      await storeSlice(db, { run, index }, ofReservations, at);
      const unreadCars = unread.length === 0 ? null : carsOf(unread);
      await storeEntries(db, { ...slice, unread: unreadCars }, ofType('S'), at).catch((error: unknown) => {
        if (!isDataError(error)) throw error;
        // they are only shown: the reading continues without them
        const code = databaseErrorCode(error);
        log.warn('entries of the schedule are not stored: Cars shows those of the reading before', {
          index,
          code,
        });
      });
      const count = ofReservations.length;
      return unreadCars === null ? count : { entries: count, unread: unreadCars };
    },
  };
}

/** Names only a few cars, because the answer is stored in the history. */
function carsOf(unread: ReadSchedules['unread']): UnreadOf {
  const cars = new Set(unread.map(({ carId }) => carId));
  const named = [...cars].filter((carId) => carId !== null);
  return named.length < cars.size || named.length > carsNamed ? 'any' : named;
}

const carsNamed = 100;
