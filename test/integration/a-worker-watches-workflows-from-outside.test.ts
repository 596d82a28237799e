import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../../src/app/log.js';
import { listsCheck } from '../../src/app/parts/lists-check.js';
import { listsRepair } from '../../src/app/parts/lists-repair.js';
import { startWorkflowWatch, type WorkflowWatchDeps } from '../../src/app/parts/workflow-watch.js';
import { Stack } from '../../src/app/startup/stack.js';
import { holdFacts, holdView } from '../../src/domain/hold/index.js';
import { createAnnouncements } from '../../src/inbox/announcements.js';
import { createAlerts } from '../../src/store/alerts/alerts.js';
import { createBookingStore } from '../../src/store/bookings/bookings.js';
import { unsentBookings } from '../../src/store/bookings/unsent.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createHoldRecorder } from '../../src/store/holds/store.js';
import { createEndedReservations } from '../../src/store/reservations/ended.js';
import { createRowChecks } from '../../src/store/reservations/row-checks.js';
import { createStoredRows } from '../../src/store/reservations/stored-rows.js';
import { bookings, inbox, listsCompleted, openReservations, rowChecks } from '../../src/store/schema.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { wire } from '../support/callbacks.js';
import { embeddedLane, onOneDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { HoldWorld } from '../support/hold-world.js';
import { sealer } from '../support/intake.js';
import { openRow, openRows, storeOpen } from '../support/open-rows.js';
import { policy } from '../support/reservation-story.js';

const lane = embeddedLane();
const log = createLogger('silent');
let database: HandoverDatabase;
beforeAll(async () => {
  database = await lane.open();
});
afterAll(() => database.close());

/** Temporal, in which reservation 41 was terminated, and nothing else is known. */
const client = {
  options: { namespace: 'default' },
  withDeadline: (_: number, call: () => Promise<unknown>) => call(),
  workflowService: {
    listWorkflowExecutions: async () => ({
      executions: [{ execution: { workflowId: 'reservation-41', runId: 'run-41' } }],
    }),
  },
  workflow: {
    getHandle: (workflowId: string) => ({
      describe: async () => {
        if (workflowId === 'reservation-41') return { status: { name: 'TERMINATED' } };
        throw new WorkflowNotFoundError('not found', workflowId, undefined);
      },
      query: async () => {
        throw new WorkflowNotFoundError('not found', workflowId, undefined);
      },
    }),
  },
} as unknown as Client;

/** @returns what stops it before the test's end */
async function begin(own: Partial<WorkflowWatchDeps>): Promise<() => Promise<void>> {
  const { db, prompt } = database;
  const stack = new Stack(log);
  onTestFinished(() => stack.stop());
  const announcements = createAnnouncements(db, { wire, sealer });
  const bookingStore = createBookingStore({ db, prompt, sealer, announcements });
  await startWorkflowWatch(stack, {
    db,
    session: database.session,
    sealer,
    log,
    ended: createEndedReservations(db),
    storedRows: createStoredRows(db, openRows),
    reconcilesEveryMs: 60_000,
    alerts: createAlerts(db, { sealer, post: false }),
    // of a reservation that is closed nothing is sent
    notify: { client, queue: 'q', policy, notified: bookingStore.markNotified, isClosed: async () => true },
    ...own,
  });
  return () => stack.stop();
}
const openAlerts = async () =>
  (await createAlerts(database.db, { sealer, post: false }).list({ state: 'open', limit: 10 })).items.map(
    ({ kind }) => kind,
  );

it('F51: the watch clears the alerts of a reconciliation that is switched off and does not run', async () => {
  const alerts = createAlerts(database.db, { sealer, post: false });
  for (const kind of ['reconciliation-stuck', 'undiscovered-reservations'] as const)
    await alerts.raise({ kind, subject: '', message: 'of before', at: 1 });
  await begin({ reconcilesEveryMs: null });
  await eventually('both are cleared', async () => (await openAlerts()).length === 0);
});

it('the watch records a reservation whose workflow was terminated before Temporal deletes it', async () => {
  const ended = createEndedReservations(database.db);
  await begin({});
  await eventually('it is noted', () => ended.has(41));
});

it('the watch deletes what lists show of a reservation that is not open', async () => {
  await storeOpen(database.db, { 41: {}, 43: {} });
  const rows = createStoredRows(database.db, openRows);
  await begin({});
  // 41 is listed, as if it were open
  await eventually('it is deleted', async () => (await rows.sequences()).size === 1);
  expect([...(await rows.sequences()).keys()]).toEqual([41]);
});

it('the first round of a deployment replaces rows that are of another state, also of a later one than the workflow', async () => {
  await storeOpen(database.db, { 41: { sequence: 7, status: 20 } });
  await database.db.delete(rowChecks);
  const answering = {
    ...client,
    workflow: { getHandle: () => ({ query: async () => openRow({ sequence: 2, status: 5 }) }) },
  } as unknown as Client;
  await begin({
    notify: { client: answering, queue: 'q', policy, notified: async () => {}, isClosed: async () => true },
  });
  const status = () => database.db.select({ status: openReservations.status }).from(openReservations);
  await expect.poll(status, { timeout: 10_000 }).toEqual([{ status: 5 }]);
});

it('while many callbacks wait, complete lists are left as they are: no query comes before what workers have to do', async () => {
  const { db } = database;
  let queries = 0;
  const counting = {
    ...client,
    workflow: { getHandle: () => ({ query: async () => openRow({ sequence: ++queries, status: 5 }) }) },
  } as unknown as Client;
  const stored = createStoredRows(db, openRows);
  const deps = { db, session: database.session, log, notify: { client: counting }, storedRows: stored };
  const check = listsCheck(deps);
  await stored.markComplete();
  await createRowChecks(db).request();
  await db.update(openReservations).set({ writtenAt: 1 });
  const waiting = { identity: 'content', channel: 'status', path: '/', receivedAt: 1, headers: {} } as const;
  await db.insert(inbox).values(
    Array.from({ length: 1_000 }, (_, index) => ({
      ...waiting,
      state: index < 400 ? ('received' as const) : ('sent' as const),
      eventId: `waits-${index}`,
      contentHash: `${index}`,
      raw: Buffer.of(),
    })),
  );
  onTestFinished(async () => void (await db.delete(inbox)));
  await check(() => false);
  await listsRepair(deps)(() => false);
  expect(queries).toBe(0);
  const inHalfAnHour = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 31 * 60_000);
  onTestFinished(() => inHalfAnHour.mockRestore());
  await check(() => false);
  expect(queries, 'a backlog that does not end withholds them no longer').toBe(1);
  inHalfAnHour.mockRestore();
  await db.delete(listsCompleted);
  await db.delete(openReservations);
  await listsRepair(deps)(() => false);
  expect(queries, 'lists that are not complete are withheld, so missing rows come first').toBe(2);
  expect(await stored.areComplete()).toBe(true);
});

it('F16: the watch reports a hold whose workflow Temporal has deleted', async () => {
  const world = new HoldWorld({ holdId: 'gone', carId: 12 });
  world.run(world.now + 3_600_000);
  const { state, now: at } = world;
  const record = createHoldRecorder(database.db, {
    sealer,
    alerts: createAlerts(database.db, { sealer, post: false }),
  });
  await record({ at, facts: holdFacts(state, at), view: holdView(state, at), audit: state.audit });
  await begin({});
  await eventually('its alert is raised', async () => (await openAlerts()).includes('hold-stuck'));
});

/** A booking whose reservation was not notified. */
function unsentRow(commandId: string, settledAt: number, by = sealer) {
  const driver = { name: 'A', birth: '19900101', phone: '010', licenseNumber: '11', address: 'A Street 1' };
  const request = { productId: 7, startAt: 1, endAt: 2, pickupAddress: 'Station', driver };
  return {
    commandId,
    runId: 'r',
    by: 'kim',
    mark: Buffer.from(''),
    productId: 7,
    startAt: 1,
    endAt: 2,
    createdAt: 1,
    state: 'applied' as const,
    settledAt,
    settledBy: 'answer' as const,
    reservationId: 42,
    unsent: by.seal(Buffer.from(JSON.stringify(request)), `bookings/${commandId}/request`),
  };
}
async function unsentIn({ db }: HandoverDatabase): Promise<string[]> {
  const ids: string[] = [];
  // one to a page
  for await (const id of unsentBookings(db, Date.now(), 1)) ids.push(id);
  return ids;
}

it('F36: the watch notifies the reservation of a booking whose run was ended before it did so, also after one that it cannot read', async () => {
  const other = createSealer([{ id: 'lost', key: randomBytes(32) }]);
  await database.db.insert(bookings).values([unsentRow('b-0', 1, other), unsentRow('b-1', 2)]);
  await begin({});
  await eventually('the one that can be read is sent', async () => {
    const left = await unsentIn(database);
    return left.join() === 'b-0';
  });
});

onOneDatabase('F36: bookings whose reservation was not notified', (own) => {
  it('are read page by page, the oldest first', async () => {
    const opened = await own.open();
    onTestFinished(() => opened.close());
    await opened.db.insert(bookings).values([unsentRow('b-2', 5), unsentRow('b-3', 4), unsentRow('b-1', 5)]);
    expect(await unsentIn(opened)).toEqual(['b-3', 'b-1', 'b-2']);
  });
});

it('while Temporal is unavailable no watch calls it, and watches that need only the database continue', async () => {
  const logged: string[] = [];
  const alerts = createAlerts(database.db, { sealer, post: false });
  await alerts.raise({ kind: 'undiscovered-reservations', subject: '', message: 'of before', at: 1 });
  const away = { ...client, withDeadline: async () => expect.fail('Temporal is asked') } as unknown as Client;
  const stop = await begin({
    reconcilesEveryMs: null,
    isConnected: () => false,
    log: createLogger('info', { write: (line) => void logged.push(line) }),
    notify: { client: away, queue: 'q', policy, notified: async () => {}, isClosed: async () => false },
  });
  await eventually('it is cleared', async () => !(await openAlerts()).includes('undiscovered-reservations'));
  await stop();
  expect(logged).toEqual([]);
});
