import { afterAll, beforeAll, expect, it } from 'vitest';
import { reservationWorkflowId } from '../../src/contract/names.js';
import { eventsSignal } from '../../src/contract/reservation.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import type { ActivityTrap } from '../support/crash/messages.js';
import { startTrappedWorker } from '../support/crash/started-worker.js';
import type { WorkerProcess } from '../support/crash/worker-process.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, startHandoverParts } from '../support/handover-parts.js';

/**
 * The worker's process is killed (SIGKILL) while it stores rows that a workflow has passed to it directly: before the write, and
 * between the write and the end of the workflow task. Such rows are in no history, so the task must not have ended.
 */
const lane = embeddedLane();
let database: HandoverDatabase;
let parts: HandoverParts;
let worker: WorkerProcess | undefined;

beforeAll(async () => {
  database = await lane.open();
  parts = await startHandoverParts(database);
}, 120_000);
afterAll(async () => {
  await worker?.kill();
  await parts?.stop();
  await database?.close();
}, 60_000);

const points: ActivityTrap['at'][] = ['before-request', 'after-answer'];

it.each(points)(
  'killed %s of its database: the next worker does the task again and stores each row once',
  async (at) => {
    const id = await parts.platform.booked();
    worker = await startTrappedWorker(parts, database);
    await allAreJudged(id);
    await worker.kill();

    worker = await startTrappedWorker(parts, database, {
      activityTraps: [{ activity: 'record', at, about: null }],
    });
    await parts.platform.command('PUT', id, 'dispatch/start');
    // within two seconds: then the worker would return the rows
    await eventually('the rows are at the trap', () => worker?.trapped.length === 1, 30_000, 10);
    await worker.kill();
    const before = await signalsOf(id);
    worker = await startTrappedWorker(parts, database);
    await allAreJudged(id);
    await worker.kill();

    expect(await signalsOf(id), 'no callback was sent again').toEqual(before);
    const { body } = await parts.ask('GET', `/api/reservations/${id}/timeline?limit=500`);
    const entries: { seq: number; data: { inboxId?: number } }[] = body.items;
    expect(entries.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(entries.map((_, i) => i + 1));
    const ofCallbacks = entries.flatMap(({ data }) => data.inboxId ?? []);
    expect(new Set(ofCallbacks).size).toBe(ofCallbacks.length);
  },
  120_000,
);

/** Sooner than the relay would send them again. */
const allAreJudged = (id: number) =>
  eventually(
    `every callback of ${id} has its verdict`,
    async () => {
      const { body } = await parts.ask('GET', `/api/inbox?reservationId=${id}&limit=500`);
      return body.items.length > 0 && body.items.every(({ state }: { state: string }) => state === 'done');
    },
    60_000,
    200,
  );

async function signalsOf(id: number): Promise<number> {
  const history = await parts.engine.client.workflow.getHandle(reservationWorkflowId(id)).fetchHistory();
  const signals = history.events?.map((one) => one.workflowExecutionSignaledEventAttributes?.signalName);
  return signals?.filter((name) => name === eventsSignal).length ?? 0;
}
