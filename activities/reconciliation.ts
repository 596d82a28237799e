import { Context, log } from '@temporalio/activity';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Alerts } from '../src/alerts/alerts.js';
import { reconciliationStuck } from '../src/alerts/messages.js';
import { reservationWorkflowId } from '../src/contract/names.js';
import type { ReconciliationActivities } from '../src/contract/reconciliation.js';
import { scheduledSignal } from '../src/contract/reservation.js';
import type { HandoverDb } from '../src/db/handover.js';
import { alertOfUndiscovered } from '../src/findings/alert.js';
import { markTold, waitingWords } from '../src/findings/checks.js';
import { reconcileReading } from '../src/findings/reconcile.js';
import { closedReservations, openReservations } from '../src/findings/reservations.js';

export interface ReconciliationDeps {
  client: Client;
  db: HandoverDb;
  alerts: Pick<Alerts, 'raise' | 'clear' | 'reword'>;
}

/** Reservations told by one activity, and at once. */
const perBatch = 200;
const atOnce = 8;
const signalWithinMs = 10_000;
const heartbeatMs = 5_000;
const stuck = { kind: 'reconciliation-stuck', subject: '' } as const;

/** What compares a reading of the schedule with the reservations, and tells them (F41-F50). */
export function reconciliationActivities({
  client,
  db,
  alerts,
}: ReconciliationDeps): ReconciliationActivities {
  const tell = async ({ reservationId, word }: Awaited<ReturnType<typeof waitingWords>>[number]) => {
    const handle = client.workflow.getHandle(reservationWorkflowId(reservationId));
    const signal = () => handle.signal(scheduledSignal, word.evidence);
    try {
      await client.withDeadline(Date.now() + signalWithinMs, signal).catch(ignoreEnded);
      return true;
    } catch (error) {
      // one that cannot be told holds up nobody: it waits for the next reconciliation
      log.warn('a reservation was not told of its schedule', { reservationId, error: (error as Error).name });
      return false;
    }
  };
  return {
    compareSchedule: (input) =>
      alive(async () => {
        const [first, last] = [input.slices[0], input.slices.at(-1)];
        const window = { from: first?.from ?? input.at, to: last?.to ?? input.at };
        // open ones first: one that closes meanwhile is found open
        const open = await openReservations(client, () => Context.current().heartbeat());
        const closed = await closedReservations(db, window);
        const stillOpen = new Set(open.map(({ reservationId }) => reservationId));
        const ended = closed.filter(({ reservationId }) => !stillOpen.has(reservationId));
        const result = await reconcileReading(db, input, [...open, ...ended]);
        await alertOfUndiscovered(db, alerts, Date.now());
        await alerts.clear({ ...stuck, at: Date.now() });
        return result;
      }),
    async reconciliationStuck({ at, code }) {
      const alert = { ...stuck, message: reconciliationStuck(code) };
      if (!(await alerts.raise({ ...alert, at }))) await alerts.reword(alert);
    },
    tellReservations: ({ after }) =>
      alive(async () => {
        const words = await waitingWords(db, { after, limit: perBatch });
        const left = [...words];
        const told: typeof words = [];
        const tellNext = async () => {
          for (let next = left.pop(); next !== undefined; next = left.pop()) {
            if (await tell(next)) told.push(next);
          }
        };
        await Promise.all(Array.from({ length: atOnce }, tellNext));
        await markTold(db, told);
        return words.length < perBatch ? null : (words.at(-1)?.reservationId ?? null);
      }),
  };
}

function ignoreEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}

/** A worker that is gone is noticed within seconds, however long the work may take. */
async function alive<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const beating = setInterval(() => context.heartbeat(), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(beating);
  }
}
