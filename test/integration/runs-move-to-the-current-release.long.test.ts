import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionAttempt } from '../../src/contract/attempt.js';
import { type CarWriteStart, carWriteWorkflowId } from '../../src/contract/car-write.js';
import { bookingWorkflowId, moveSignal, scanQueueOf } from '../../src/contract/names.js';
import { reconciliationId } from '../../src/contract/reconciliation.js';
import { readTemporalStatus } from '../../src/temporal/client/cluster-status.js';
import { Releases } from '../../src/temporal/client/releases.js';
import { encryptingDataConverter } from '../../src/temporal/codec.js';
import { versioningOf } from '../../src/temporal/worker/versioning.js';
import { createScanWorker } from '../../src/temporal/worker/worker.js';
import type { WorkerGroup } from '../../src/temporal/worker/worker-group.js';
import { testDataConverter } from '../support/codec.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { fewDays, ReconcilingPlatform } from '../support/reconciliation-stories.js';
import { releaseOf, runsOn } from '../support/release-of.js';
import { TestReservation } from '../support/reservations.js';
import { order } from '../support/stories.js';
import { createTestWorker } from '../support/test-worker.js';
import { serverBinary, versionedServer, withoutServer } from '../support/versioned-server.js';

const log = pino({ level: 'silent' });

describe.skipIf(serverBinary === undefined)(
  `two releases on a server with Worker Versioning${withoutServer}`,
  () => {
    const taskQueue = `releases-${randomUUID()}`;
    let engine: TestDevServer;
    let platform: ReconcilingPlatform;
    let releases: Releases;
    const workers: WorkerGroup[] = [];
    const running: Promise<void>[] = [];
    let ids = 0;

    const run = async (buildId: string, dataConverter = testDataConverter) => {
      const version = { deploymentName: 'handover', buildId };
      const versioning = await versioningOf(engine.nativeConnection, version, { namespace: 'default', log });
      expect(versioning).not.toEqual({});
      const { nativeConnection: connection, namespace } = engine;
      const shared = { connection, namespace, dataConverter, versioning };
      const group = [
        await createTestWorker({ ...shared, taskQueue, activities: platform.activities() }),
        await createScanWorker({
          ...shared,
          taskQueue: scanQueueOf(taskQueue),
          activities: platform.scanActivities(),
          perSecond: 1_000,
          shutdownGraceMs: 1_000,
        }),
      ];
      workers.push(...group);
      const stopped = group.map((worker) => worker.run());
      running.push(...stopped);
      return async () => {
        for (const worker of group) worker.shutdown();
        await Promise.all(stopped);
      };
    };
    const promote = async (buildId: string) => expect(await releases.promote(buildId)).toBe(true);
    const open = async () => {
      const rental = new TestReservation(engine.client, async () => Date.now(), taskQueue, ++ids);
      await rental.deliver(rental.event({ status: 5 }));
      await eventually('it is open', async () => (await rental.view()).status?.code === 5);
      await rests(rental);
      return rental;
    };
    const rests = ({ handle }: TestReservation) =>
      eventually('it rests', async () => (await handle.describe()).raw.pendingWorkflowTask == null);
    /** A task queue may learn of a promotion a moment after the server reports that all have. */
    const openOn = async (buildId: string) => {
      const rental = await open();
      await eventually(
        `it runs on ${buildId}`,
        async () => {
          if ((await releaseOf(rental)) === buildId) return true;
          await rental.handle.signal(moveSignal);
          return false;
        },
        20_000,
        500,
      );
      await rests(rental);
      return rental;
    };
    const startsOn = (buildId: string) =>
      eventually(`ten new runs are on ${buildId}`, async () => {
        const rentals = await Promise.all(Array.from({ length: 10 }, open));
        return (await Promise.all(rentals.map(releaseOf))).every((found) => found === buildId);
      });
    /** Its tasks bring the report that runs start on another release. */
    const knowsOfAnother = async ({ handle }: TestReservation) => {
      const { events } = await handle.fetchHistory();
      return (events ?? []).some(
        ({ workflowTaskStartedEventAttributes: task }) => task?.targetWorkerDeploymentVersionChanged === true,
      );
    };

    beforeAll(async () => {
      engine = await versionedServer(serverBinary ?? '', testDataConverter);
      platform = new ReconcilingPlatform(engine.client);
      releases = new Releases(engine.client, 'handover');
      await run('one');
      await promote('one');
      await run('two');
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

    const busy: ActionAttempt = { kind: 'wait', code: 'RATE_LIMITED', retryAfterMs: 100 };
    // the caller's update waits for the first request alone
    it.each([
      ['first', []],
      ['second', [busy]],
    ])(
      'one whose %s request is out moves once that is answered, and does not repeat it',
      async (_, before) => {
        await promote('one');
        const rental = await openOn('one');
        const ofRental = () =>
          platform.attempts.filter(({ attempt }) => attempt.reservationId === rental.id).length;
        const outcomes = async () => (await rental.view()).commands.map(({ outcome }) => outcome);
        platform.answers.push(...before);
        const answer = platform.holdAnswer();
        const action = rental.sendAction('dispatch.staff');
        await eventually('its request is out', () => ofRental() === before.length + 1);
        await promote('two');
        await rental.deliver(rental.event({ status: 10 }));
        await eventually('the event is applied', async () => (await rental.view()).status?.code === 10);
        await eventually('it knows of the promotion', async () => {
          if (await knowsOfAnother(rental)) return true;
          await rental.handle.signal(moveSignal);
          return false;
        });
        await rests(rental);
        expect([await releaseOf(rental), await outcomes()]).toEqual(['one', ['out']]);
        answer();
        await action;
        await runsOn(rental, 'two');
        expect([await outcomes(), ofRental()]).toEqual([['applied'], before.length + 1]);
      },
    );

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
        await startsOn(after);
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

    it('a write on a car and a reconciliation end on the one where they began', async () => {
      await promote('one');
      await startsOn('one');
      const { cars } = platform;
      const often = 1_000;
      cars.writes.push(
        ...Array.from({ length: often }, () => ({
          kind: 'wait' as const,
          code: 'RATE_LIMITED',
          retryAfterMs: 500,
        })),
      );
      platform.failures = often;
      const rental = await open();
      const start: CarWriteStart = {
        commandId: randomUUID(),
        by: 'staff-1',
        write: { kind: 'memo', carId: 1001, content: 'new tyres' },
      };
      const ended = Promise.all([rental.writeOnCar(start), rental.reconcile(fewDays)]);
      const haveBegun = () => cars.writes.length < often && platform.failures < often;
      await eventually('both have begun', haveBegun);
      await promote('two');
      await startsOn('two');
      cars.writes.length = 0;
      platform.failures = 0;
      expect(await ended).toMatchObject([{ outcome: 'applied' }, { entries: 1 }]);
      const ids = [carWriteWorkflowId(start.commandId), reconciliationId];
      const runs = ids.map((id) => ({ handle: engine.client.workflow.getHandle(id) }));
      expect(await Promise.all(runs.map(releaseOf))).toEqual(['one', 'one']);
      expect(cars.memos).toHaveLength(1);
    }, 120_000);

    it('an idle one moves when it is woken', async () => {
      await promote('one');
      const rental = await openOn('one');
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
  },
);

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
