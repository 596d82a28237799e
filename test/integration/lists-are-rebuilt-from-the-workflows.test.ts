import type { Client } from '@temporalio/client';
import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RecordInput } from '../../src/contract/reservation.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createCaseFiles } from '../../src/store/reservations/case-files.js';
import { ListsNotReadyError, whenListsAreReady } from '../../src/store/reservations/lists-ready.js';
import { createRecorder } from '../../src/store/reservations/record.js';
import { createStoredRows } from '../../src/store/reservations/stored-rows.js';
import { caseFiles, listsCompleted, openReservations } from '../../src/store/schema.js';
import { rebuildLists } from '../../src/temporal/client/reservations/rebuild-lists.js';
import { publicTestKey } from '../support/codec.js';
import { onOneDatabase } from '../support/database.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { sealer } from '../support/intake.js';
import { openRows, storeOpen } from '../support/open-rows.js';
import { car, company, hour, policy, TestReservation } from '../support/reservations.js';
import { startTestWorker } from '../support/test-worker.js';

const taskQueue = 'rebuilt';
const override = { reason: 'done on the web site' };

onOneDatabase('lists are rebuilt from the workflows', (lane) => {
  const platform = new FakePlatform();
  let database: HandoverDatabase;
  let engine: TestDevServer;
  let stopWorker: () => Promise<void>;
  beforeAll(async () => {
    database = await lane.open();
    engine = await devServer();
    const record = createRecorder(database.db, openRows);
    stopWorker = await startTestWorker({
      connection: engine.nativeConnection,
      namespace: engine.namespace,
      taskQueue,
      activities: {
        ...platform.activities(),
        record: async (input: RecordInput) => {
          await record(input);
          return undefined;
        },
        closeCase: createCaseFiles(database.db, sealer, [publicTestKey]).close,
      },
    });
  });
  afterAll(async () => {
    await stopWorker?.();
    await engine?.stop();
    await database?.close();
  });

  let last = 500;
  const begin = async (status: number, changes = {}) => {
    last += 1;
    const one = new TestReservation(engine.client, async () => Date.now(), taskQueue, last, { policy });
    const period = { start: Date.now() + hour, end: Date.now() + 2 * hour };
    await one.deliver(one.event({ channel: 'registration', status, period, car, company, ...changes }));
    return one;
  };
  /** What is stored, but the sequence, and when and under which nonce it was written. */
  const stored = async () => {
    const rows = await database.db
      .select()
      .from(openReservations)
      .orderBy(asc(openReservations.reservationId));
    return rows.map(({ sequence, writtenAt, personal, ...row }) => ({
      ...row,
      personal: openRows.open(row.reservationId, personal),
    }));
  };
  const rows = () => createStoredRows(database.db, openRows);
  const rebuild = (all: boolean) => rebuildLists(engine.client, rows(), { all });
  const ids = async () => (await stored()).map(({ reservationId }) => reservationId);

  it('lists are not read until each open reservation has its row', async () => {
    await database.db.delete(listsCompleted);
    const read = () => whenListsAreReady(database.db)(async () => 'read')();
    await expect(read()).rejects.toThrow(ListsNotReadyError);
    await rebuildLists(engine.client, rows(), { all: false, isStopping: () => true });
    await expect(read()).rejects.toThrow(ListsNotReadyError);
    await rebuild(false);
    expect(await read()).toBe('read');
  });

  it('what steps have written, lost or changed, is written again: equal, but of a later state', async () => {
    const first = await begin(5);
    await first.sendAction('dispatch.staff');
    const second = await begin(10);
    platform.answers.push({ kind: 'unknown', code: 'TIMEOUT' });
    await second.sendAction('dispatch.carImage', { override }).catch(() => undefined);
    await begin(30, { car: { id: 14, number: null } });
    await begin(99);
    await begin(5, { period: undefined, company: undefined });
    await begin(40);
    await expect.poll(ids).toHaveLength(6);
    // visibility lags behind
    await expect
      .poll(async () => (await engine.client.workflow.count(`ExecutionStatus = 'Running'`)).count)
      .toBe(6);
    const written = await stored();
    expect(written.map(({ personal }) => personal.dispatchStaff)).toContain('A Person');
    expect(written.map(({ unknownCommands }) => unknownCommands)).toContain(1);

    const { reservationId = 0 } = written[0] ?? {};
    await database.db.delete(openReservations).where(sql`reservation_id <> ${reservationId}`);
    expect(await rebuild(false)).toEqual({ written: 5, removed: 0, unanswered: 0 });
    expect(await stored()).toEqual(written);
    expect(await rebuild(false)).toEqual({ written: 0, removed: 0, unanswered: 0 });

    await database.db
      .update(openReservations)
      .set({ status: 20, next: null, plate: 'x', personal: Buffer.of(1) });
    expect(await rebuild(true)).toEqual({ written: 6, removed: 0, unanswered: 0 });
    expect(await stored()).toEqual(written);
  });

  it('a row of a later state than the one that was read stays, where it was written meanwhile', async () => {
    const later = Date.now() + hour;
    const meanwhile = async () => {
      const before = await rows().sequences();
      await database.db.update(openReservations).set({ sequence: later, status: 25 });
      return before;
    };
    await rebuildLists(engine.client, { ...rows(), sequences: meanwhile }, { all: true });
    expect(new Set((await stored()).map(({ status }) => status))).toEqual(new Set([25]));
    await database.db.update(openReservations).set({ sequence: 0 });
    await rebuild(true);
    expect((await stored()).map(({ status }) => status)).not.toContain(25);
  });

  it('a workflow that has written its row since the rows were read is not queried', async () => {
    const none = async () => new Map<number, number>();
    expect(await rebuildLists(engine.client, { ...rows(), sequences: none }, { all: false })).toEqual({
      written: 0,
      removed: 0,
      unanswered: 0,
    });
  });

  it('a row that is of a later state than its workflow, which was reset, is replaced', async () => {
    await database.db.update(openReservations).set({ sequence: Date.now() + hour, status: 25 });
    await rebuild(true);
    expect((await stored()).map(({ status }) => status)).not.toContain(25);
  });

  it('rows of reservations that are not open are deleted: terminated, unknown to Temporal, or closed by a worker of 0.3.0', async () => {
    const terminated = await begin(5);
    await expect.poll(ids).toContain(terminated.id);
    await terminated.handle.terminate();
    const closed = await begin(5);
    await expect.poll(ids).toContain(closed.id);
    await storeOpen(database.db, { 777: { sequence: Date.now() } });
    const open = (await ids()).filter((id) => id !== terminated.id && id !== 777);
    // visibility lags behind
    const rebuiltIds = async () => {
      await rebuild(false);
      return ids();
    };
    await expect.poll(rebuiltIds).toEqual(open);
  });

  it('a closed reservation is not listed again, whatever its workflow answers', async () => {
    const one = await begin(5);
    await expect.poll(ids).toContain(one.id);
    await createCaseFiles(database.db, sealer, [publicTestKey]).close({
      reservationId: one.id,
      closedAt: Date.now() + hour,
      facts: { status: 35, carId: 12, companyId: 1, period: null, attention: [] },
      view: await one.view(),
    });
    expect(await ids()).not.toContain(one.id);
    await rebuild(true);
    expect(await ids()).not.toContain(one.id);
    await database.db.delete(caseFiles).where(eq(caseFiles.reservationId, one.id));
  });

  it('a workflow that gives no answer is counted, its row stays, and without a row lists are not complete', async () => {
    const silent = {
      options: { namespace: 'default' },
      withDeadline: (_: number, call: () => Promise<unknown>) => call(),
      workflowService: {
        listWorkflowExecutions: async () => ({
          executions: [{ execution: { workflowId: 'reservation-7', runId: 'run-7' } }],
        }),
      },
      workflow: { getHandle: () => ({ query: async () => Promise.reject(new Error('no such query')) }) },
    } as unknown as Client;
    const written: unknown[] = [];
    const stored = new Map([[7, 1]]);
    const known = {
      sequences: async () => stored,
      having: async () => new Set(stored.keys()),
      write: async (...row: unknown[]) => void written.push(row),
      areComplete: async () => false,
      markComplete: async () => void written.push('complete'),
      remove: async () => void written.push('removed'),
    };
    const progress: number[][] = [];
    const onProgress = (...done: number[]) => void progress.push(done);
    const rebuilt = await rebuildLists(silent, known, { all: true, onProgress });
    expect(rebuilt).toEqual({ written: 0, removed: 0, unanswered: 1 });
    expect({ written, progress }).toEqual({ written: ['complete'], progress: [[1, 1]] });
    stored.clear();
    await rebuildLists(silent, known, { all: true });
    expect(written).toEqual(['complete']);
    await rebuildLists(silent, known, { all: true, mayLackRows: true });
    expect(written).toEqual(['complete', 'complete']);
  });
});
