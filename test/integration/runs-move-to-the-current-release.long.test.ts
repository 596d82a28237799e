import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bookingWorkflowId, moveSignal } from '../../src/contract/names.js';
import { readTemporalStatus } from '../../src/temporal/client/cluster-status.js';
import { Releases } from '../../src/temporal/client/releases.js';
import { encryptingDataConverter } from '../../src/temporal/codec.js';
import { versioningOf } from '../../src/temporal/worker/versioning.js';
import type { WorkerGroup } from '../../src/temporal/worker/worker-group.js';
import { testDataConverter } from '../support/codec.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { TestReservation } from '../support/reservations.js';
import { order } from '../support/stories.js';
import { createTestWorker } from '../support/test-worker.js';
import { serverBinary, versionedServer } from '../support/versioned-server.js';

const binary = serverBinary();
const without =
  binary === undefined ? ': the Temporal server is not cached, `npm run test:cluster` builds it' : '';
const log = pino({ level: 'silent' });

describe.skipIf(binary === undefined)(`two releases on a server with Worker Versioning${without}`, () => {
  const taskQueue = `releases-${randomUUID()}`;
  const platform = new FakePlatform();
  let engine: TestDevServer;
  let releases: Releases;
  const workers: WorkerGroup[] = [];
  const running: Promise<void>[] = [];
  let ids = 0;

  const run = async (buildId: string, dataConverter = testDataConverter) => {
    const version = { deploymentName: 'handover', buildId };
    const versioning = await versioningOf(engine.nativeConnection, version, { namespace: 'default', log });
    expect(versioning).not.toEqual({});
    const worker = await createTestWorker({
      connection: engine.nativeConnection,
      namespace: engine.namespace,
      taskQueue,
      activities: platform.activities(),
      dataConverter,
      versioning,
    });
    workers.push(worker);
    const stopped = worker.run();
    running.push(stopped);
    return async () => {
      worker.shutdown();
      await stopped;
    };
  };
  const promote = async (buildId: string) => expect(await releases.promote(buildId)).toBe(true);
  const open = async () => {
    const rental = new TestReservation(engine.client, async () => Date.now(), taskQueue, ++ids);
    await rental.deliver(rental.event({ status: 5 }));
    await eventually('it is open', async () => (await rental.view()).status?.code === 5);
    await eventually(
      'it rests',
      async () => (await rental.handle.describe()).raw.pendingWorkflowTask == null,
    );
    return rental;
  };
  const releaseOf = async ({ handle }: Pick<TestReservation, 'handle'>) => {
    const { raw } = await handle.describe();
    return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
  };
  const runsOn = (rental: TestReservation, buildId: string) =>
    eventually(`it runs on ${buildId}`, async () => (await releaseOf(rental)) === buildId, 20_000);

  beforeAll(async () => {
    engine = await versionedServer(binary ?? '', testDataConverter);
    releases = new Releases(engine.client, 'handover');
    await run('one');
    await promote('one');
  }, 120_000);
  afterAll(async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
    await engine?.stop();
  });

  it('a reservation moves to the new one with its next event, as it is, and back after a return', async () => {
    const rental = await open();
    await runsOn(rental, 'one');
    await rental.sendAction('dispatch.staff');
    await run('two');
    await promote('two');
    expect(await releaseOf(rental)).toBe('one');
    const { commands } = await rental.view();
    await rental.deliver(rental.event({ status: 10 }));
    await runsOn(rental, 'two');
    await eventually('the event is applied', async () => (await rental.view()).status?.code === 10);
    expect((await rental.view()).commands).toEqual(commands);
    await promote('one');
    await rental.sendAction('dispatch.parkingImage');
    await runsOn(rental, 'one');
    expect((await rental.view()).commands.map(({ outcome }) => outcome)).toEqual(['applied', 'applied']);
  });

  it('the status of the service has the one that gets new runs', async () => {
    await promote('one');
    expect(await readTemporalStatus(engine.client, 'handover')).toMatchObject({
      current: { buildId: 'one' },
    });
    expect(await readTemporalStatus(engine.client, 'another')).not.toHaveProperty('current');
  });

  it('a promotion ends the part of the runs that another one gets, also of the one that is current already', async () => {
    await run('three');
    for (const [before, after] of [
      ['one', 'one'],
      ['one', 'two'],
    ] as const) {
      await promote(before);
      expect(await releases.promote('three', { percentage: 50 })).toBe(true);
      const statuses = async () =>
        (await releases.versions()).flatMap(({ buildId, status }) =>
          status === 'current' || status === 'ramping' ? [`${status} ${buildId}`] : [],
        );
      expect((await statuses()).sort()).toEqual([`current ${before}`, 'ramping three']);
      await promote(after);
      expect(await statuses()).toEqual([`current ${after}`]);
      // a task queue may learn of it a moment later
      await eventually(`ten new runs are on ${after}`, async () => {
        const rentals = await Promise.all(Array.from({ length: 10 }, open));
        return (await Promise.all(rentals.map(releaseOf))).every((buildId) => buildId === after);
      });
    }
  }, 60_000);

  it('a booking ends on the one where it began', async () => {
    await promote('one');
    platform.bookings.push({ outcome: 'unknown', code: 'TIMEOUT' });
    platform.bookingStore.sightings.push({ kind: 'several' });
    const rental = await open();
    const ended = rental.book(order);
    const handle = engine.client.workflow.getHandle(bookingWorkflowId(order.commandId));
    await eventually('it waits for a person', () => platform.bookingStore.alerts.length > 0);
    await promote('two');
    await eventually('the status names it', async () => {
      const one = (await releases.versions()).find(({ buildId }) => buildId === 'one');
      return (one?.openBookings ?? 0) > 0;
    });
    const by = { reason: 'compared', by: 'lee', settlementId: randomUUID() };
    await rental.settleBooking(order.commandId, { outcome: 'applied', reservationId: rental.id, ...by });
    expect(await ended).toMatchObject({ outcome: 'applied', settledBy: 'person' });
    expect(await releaseOf({ handle })).toBe('one');
  });

  it('an idle one moves when it is woken', async () => {
    await promote('one');
    const rental = await open();
    // a task queue may learn of a promotion a moment after the server reports that all have
    await eventually(
      'it runs on one',
      async () => {
        if ((await releaseOf(rental)) === 'one') return true;
        await rental.handle.signal(moveSignal);
        return false;
      },
      20_000,
      500,
    );
    await eventually(
      'it rests',
      async () => (await rental.handle.describe()).raw.pendingWorkflowTask == null,
    );
    await promote('two');
    // visibility lists it a moment later; a signal of above may have moved it by itself
    await eventually('it runs on two', async () => {
      await releases.wakeOthers('two', 100);
      return (await releaseOf(rental)) === 'two';
    });
    expect((await rental.view()).status?.code).toBe(5);
  });

  it('one whose tasks fail on its release is continued by the release before, and moves on when that is replaced', async () => {
    await promote('one');
    const stopWorking = await run('bad');
    await promote('bad');
    const rental = await open();
    await runsOn(rental, 'bad');
    await rental.sendAction('dispatch.staff');
    expect(await releaseOf(rental)).toBe('bad');
    await stopWorking();
    await run('bad', encryptingDataConverter([{ id: 'other', key: Buffer.alloc(32, 7) }]));
    await rental.deliver(rental.event({ status: 10 }));
    await promote('one');
    const force = () => releases.force('one', { perSecond: 100 });
    await eventually('the server reports it', async () => (await force()) > 0, 90_000, 500);
    const isAtRest = async () => (await rental.handle.describe()).raw.pendingWorkflowTask == null;
    await eventually('its task is completed', isAtRest, 60_000, 200);
    expect((await rental.view()).status?.code).toBe(10);
    await runsOn(rental, 'one');

    await promote('two');
    await rental.sendAction('dispatch.parkingImage');
    expect(await releaseOf(rental)).toBe('one');
    await eventually('visibility lists it', async () => (await releases.wakeOthers('two', 100)) > 0);
    await runsOn(rental, 'two');
    expect((await rental.view()).status?.code).toBe(10);
  }, 240_000);
});

it('a server that cannot move pinned runs gets workers without a version', async () => {
  const engine = await devServer(testDataConverter);
  const warnings: unknown[] = [];
  const warning = { ...log, info: () => {}, warn: (text: unknown) => warnings.push(text) } as never;
  const version = { deploymentName: 'handover', buildId: 'one' };
  expect(
    await versioningOf(engine.nativeConnection, version, { namespace: engine.namespace, log: warning }),
  ).toEqual({});
  expect(warnings).toEqual([expect.stringContaining('1.31 is needed')]);
  await engine.stop();
});
