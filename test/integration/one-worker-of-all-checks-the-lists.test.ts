import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { eq, sql } from 'drizzle-orm';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../src/app/log.js';
import { showStored } from '../../src/app/metrics/stored.js';
import { type ListsCheckDeps, listsCheck, listsLease } from '../../src/app/parts/lists-check.js';
import { startWorkflowWatch } from '../../src/app/parts/workflow-watch.js';
import { Stack } from '../../src/app/startup/stack.js';
import { createAlerts } from '../../src/store/alerts/alerts.js';
import { leaseHolders } from '../../src/store/connection/lease-holder.js';
import type { Session } from '../../src/store/connection/session.js';
import { underLease } from '../../src/store/connection/under-lease.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createEndedReservations } from '../../src/store/reservations/ended.js';
import { createRowChecks } from '../../src/store/reservations/row-checks.js';
import { createStoredRows } from '../../src/store/reservations/stored-rows.js';
import { leases, openReservations, rowChecks } from '../../src/store/schema.js';
import { checkRows } from '../../src/temporal/client/reservations/check-rows.js';
import { NotConnectedError } from '../../src/temporal/connection/unavailable.js';
import { onOneDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { sealer } from '../support/intake.js';
import { openRow, openRows, storeOpen } from '../support/open-rows.js';
import { policy } from '../support/reservation-story.js';

const log = createLogger('silent');
const go = () => false;

onOneDatabase('one worker of all checks the lists', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.db.delete(openReservations);
    await database.db.delete(rowChecks);
    read = [];
    meets = {};
    listed = [];
  });

  /** The reservations that were queried, in this order. */
  let read: number[];
  /** What a query of a reservation meets in place of its row. */
  let meets: Record<number, () => Promise<unknown>>;
  /** What visibility lists. */
  let listed: number[];
  const idOf = (workflowId: string) => Number(workflowId.replace('reservation-', ''));
  const client = {
    options: { namespace: 'default' },
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflowService: {
      listWorkflowExecutions: async () => ({
        executions: listed.map((id) => ({
          execution: { workflowId: `reservation-${id}`, runId: `run-${id}` },
        })),
      }),
    },
    workflow: {
      getHandle: (workflowId: string) => ({
        describe: async () => ({ status: { name: 'RUNNING' } }),
        async query() {
          const id = idOf(workflowId);
          read.push(id);
          return (await meets[id]?.()) ?? openRow({ sequence: 2, status: 5 });
        },
      }),
    },
  } as unknown as Client;

  const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  /** Rows of another state than their workflows, written before the round. */
  const storeWrong = async (count: number) => {
    await storeOpen(
      database.db,
      Object.fromEntries(ids(count).map((id) => [id, { sequence: id % 2 === 0 ? 1 : 9, status: 20 }])),
    );
    await database.db.update(openReservations).set({ writtenAt: Date.now() - 60_000 });
  };
  const wrong = async () =>
    (await database.db.select().from(openReservations).where(eq(openReservations.status, 20))).length;
  const worker = (own: Partial<ListsCheckDeps> = {}) =>
    listsCheck({
      db: database.db,
      session: database.session,
      log,
      notify: { client },
      storedRows: createStoredRows(database.db, openRows),
      pace: { usualMs: 0, urgentMs: 0 },
      ...own,
    });
  const round = async () => (await database.db.select().from(rowChecks))[0];
  const holders = async () => (await leaseHolders(database.db, [listsLease])).length;
  const leaseEnds = () => database.db.update(leases).set({ expiresAt: null });
  const gate = () => {
    let open = () => {};
    const closed = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open: () => open(), closed };
  };

  it('two workers read each row once in all, replace those of another state, and read none again for a day', async () => {
    await storeWrong(50);
    const [one, other] = [worker(), worker()];
    await Promise.all([one(go), other(go)]);
    await Promise.all([one(go), other(go)]);
    expect(read).toEqual(ids(50));
    expect(await wrong()).toBe(0);
    expect(await holders()).toBe(0);
    // workers that start
    await worker()(go);
    expect(read).toHaveLength(50);
    const { endedAt } = (await round()) ?? {};
    await database.db.update(rowChecks).set({ endedAt: (endedAt ?? 0) - 24 * 3_600_000 });
    await database.db.update(openReservations).set({ writtenAt: 1 });
    await worker()(go);
    expect(read).toHaveLength(100);
  });

  it('a worker that stops is followed by another one, which continues where it ended', async () => {
    await storeWrong(50);
    await worker()(() => read.length >= 25);
    expect(read).toEqual(ids(25));
    await worker()(go);
    // of a page that is cut short only what was not written yet is read again
    expect(read).toEqual(ids(50));
    expect(await wrong()).toBe(0);
  });

  it('metrics and log show how many rows are left to be compared, and since when the last round is over or this one runs', async () => {
    const { progress } = createRowChecks(database.db);
    const shown = async () => {
      const registry = new Registry();
      showStored(registry, database.db, { reservationsMs: 1e12, photosMs: 1e12 });
      const lines = (await registry.metrics()).split('\n');
      return lines.filter((line) => line.startsWith('handover_lists_'));
    };
    expect(await progress()).toEqual({ unchecked: 0, ageMs: null });
    await storeWrong(30);
    expect(await progress()).toEqual({ unchecked: 30, ageMs: null });
    expect(await shown()).toEqual(['handover_lists_unchecked_reservations 30']);
    const logged: unknown[] = [];
    const recording = { ...log, info: (...line: unknown[]) => logged.push(line) } as unknown as typeof log;
    await worker({ log: recording, reportMs: 0 })(() => read.length >= 25);
    expect((await progress()).unchecked).toBe(5);
    expect(logged).toContainEqual([{ unchecked: 6 }, 'lists are being compared with the workflows']);
    expect(await shown()).toEqual([
      'handover_lists_unchecked_reservations 5',
      expect.stringMatching(/^handover_lists_checked_seconds \d+(\.\d+)?$/),
    ]);
    await worker()(go);
    expect((await progress()).unchecked).toBe(0);
    const day = 24 * 3_600_000;
    await database.db.update(rowChecks).set({ endedAt: ((await round())?.endedAt ?? 0) - day });
    const due = await progress();
    expect(due.unchecked).toBe(30);
    expect(due.ageMs).toBeGreaterThanOrEqual(day);
  });

  it('a frozen worker is followed by another one as soon as its lease is over, and changes the round no more', async () => {
    await storeWrong(50);
    const { open, closed } = gate();
    meets[30] = async () => {
      delete meets[30];
      await closed;
      return undefined;
    };
    /** A process that renews nothing. */
    const frozen = async (): Promise<Session> => ({
      ...(await database.session()),
      renewLeases: async () => [],
    });
    const ofFrozen = worker({ session: frozen })(go);
    await eventually('it is at its 30th row', async () => read.length === 30);
    await worker()(go);
    expect(read, 'its lease is valid').toHaveLength(30);
    await leaseEnds();
    await worker()(go);
    expect((await round())?.endedAt).not.toBeNull();
    expect(read.slice(30)).toEqual(ids(50).slice(29));
    expect(await wrong()).toBe(0);
    await database.db.update(rowChecks).set({ endedAt: null, place: 20 });
    open();
    await ofFrozen;
    expect(await round()).toMatchObject({ endedAt: null, place: 20 });
  });

  it('a worker that is killed, or whose connection is cut, has no lease from then on, and another one continues', async () => {
    await storeWrong(30);
    const { open, closed } = gate();
    meets[25] = async () => {
      delete meets[25];
      await closed;
      return undefined;
    };
    let cut = async () => {};
    const session = async (): Promise<Session> => {
      const opened = await database.session();
      const embedded = gate();
      cut = async () => {
        embedded.open();
        // as the server of a process that is gone does
        if (database.kind === 'postgres')
          await database.db.execute(
            sql`select pg_terminate_backend(backend_pid) from leases where name = ${listsLease}`,
          );
        else await leaseEnds();
      };
      return database.kind === 'postgres' ? opened : { ...opened, lost: embedded.closed };
    };
    const killed = worker({ session })(go);
    await eventually('it is at its 25th row', async () => read.length === 25);
    await cut();
    await eventually('the lease is free', async () => (await holders()) === 0);
    await worker()(go);
    // rows 21 to 24 were written in this round
    expect(read.slice(25)).toEqual(ids(30).slice(24));
    expect(await wrong()).toBe(0);
    open();
    await killed;
    expect(read, 'it reads nothing more').toHaveLength(31);
  });

  it('Temporal that is away ends a turn, and the next one continues; a workflow that does not answer is left out', async () => {
    await storeWrong(30);
    meets[25] = async () => Promise.reject(new NotConnectedError());
    await expect(worker()(go)).rejects.toThrow('Temporal is unavailable (NOT_CONNECTED)');
    expect([await holders(), (await round())?.place]).toEqual([0, 20]);
    meets[25] = async () => Promise.reject(new Error('cannot be decoded'));
    meets[26] = async () => Promise.reject(new WorkflowNotFoundError('gone', 'reservation-26', undefined));
    await worker()(go);
    expect(read.at(-1)).toBe(30);
    expect(await wrong(), 'the rows of 25 and 26').toBe(2);
    expect((await round())?.endedAt).not.toBeNull();
  });

  it('another database than that of the last round, and a request, begin an urgent round; a whole rebuild ends it', async () => {
    const checks = createRowChecks(database.db);
    await checks.recordEnd();
    expect(await checks.isDue()).toBe(false);
    const { database: identity } = (await round()) ?? {};
    expect(identity).toMatch(/^\d+\/\d+$/);
    await storeWrong(3);
    await database.db.update(rowChecks).set({ database: 'another/1' });
    expect(await checks.isDue()).toBe(true);
    await worker()(go);
    expect(read).toEqual(ids(3));
    expect(await round()).toMatchObject({ database: identity, isUrgent: true });
    await checks.request();
    expect(await checks.isDue()).toBe(true);
    expect(await round()).toMatchObject({ isUrgent: true, place: 0, endedAt: null });
    await checks.recordEnd();
    expect(await checks.isDue()).toBe(false);
  });

  it('a round for a reason has the faster pace, one of each day the slower, and each query waits for it', async () => {
    const deps = {
      client,
      checks: createRowChecks(database.db),
      rows: createStoredRows(database.db, openRows),
    };
    const paces: boolean[] = [];
    const before = async (isUrgent: boolean) => {
      expect(read).toHaveLength(paces.length);
      paces.push(isUrgent);
    };
    const roundOf = () =>
      underLease(database.session, listsLease, async (lease) => {
        await checkRows(deps, lease, { before, isStopping: go });
      });
    await storeWrong(2);
    expect(await roundOf()).toBe(true);
    await database.db.update(rowChecks).set({ endedAt: Date.now() - 25 * 3_600_000 });
    await database.db.update(openReservations).set({ writtenAt: 1 });
    await roundOf();
    expect(paces).toEqual([true, true, false, false]);
  });

  it('a request during a round starts it again, and what its worker still writes does not end it', async () => {
    await storeWrong(3);
    meets[3] = async () => {
      delete meets[3];
      await createRowChecks(database.db).request();
      await database.db.update(rowChecks).set({ place: 1 });
      return undefined;
    };
    await worker()(go);
    expect(await round()).toMatchObject({ place: 1, endedAt: null });
  });

  it('rows that their workflows have written since the round began are not read', async () => {
    await storeWrong(3);
    await worker()(() => true);
    await database.db.update(rowChecks).set({ beganAt: Date.now() - 30_000 });
    await storeOpen(database.db, { 2: { sequence: 10, status: 10 } });
    await worker()(go);
    expect(read).toEqual([1, 3]);
  });

  /** The watch of a worker, in which the check of lists is one of several. */
  async function startWatch(own: { isConnected?: () => boolean } = {}): Promise<void> {
    const { db } = database;
    const stack = new Stack(log);
    onTestFinished(() => stack.stop());
    await startWorkflowWatch(stack, {
      db,
      session: database.session,
      sealer,
      log,
      ended: createEndedReservations(db),
      storedRows: createStoredRows(db, openRows),
      reconcilesEveryMs: null,
      alerts: createAlerts(db, { sealer, post: false }),
      notify: { client, queue: 'q', policy, notified: async () => {}, isClosed: async () => true },
      ...own,
    });
  }

  it('a worker without Temporal has no lease, and one that loses Temporal gives it up', async () => {
    await storeWrong(3);
    listed = ids(3);
    let isConnected = true;
    const { open, closed } = gate();
    meets[2] = async () => void (await closed);
    await startWatch({ isConnected: () => isConnected });
    onTestFinished(open);
    await eventually('it is at its second row', async () => read.includes(2));
    expect(await holders()).toBe(1);
    isConnected = false;
    open();
    await eventually('the lease is free', async () => (await holders()) === 0);
    expect(await round()).toMatchObject({ endedAt: null });
    // one that never had it
    await startWatch({ isConnected: () => false });
    await worker()(go);
    expect((await round())?.endedAt, 'a worker with Temporal ends the round').not.toBeNull();
  });

  it('rows that are missing are written while a round is under way', async () => {
    await storeWrong(1);
    listed = [1, 7];
    const { open, closed } = gate();
    meets[1] = async () => void (await closed);
    meets[7] = async () => {
      await eventually('the round waits for the first row', async () => read.includes(1));
      return undefined;
    };
    await startWatch();
    onTestFinished(open);
    await eventually('the row of 7 is written', async () =>
      (await createStoredRows(database.db, openRows).sequences()).has(7),
    );
    expect([await holders(), (await round())?.endedAt]).toEqual([1, null]);
  });
});
