import { randomUUID } from 'node:crypto';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { carWriteWorkflow, carWriteWorkflowId } from '../../src/contract/car-write.js';
import { holdWorkflowId } from '../../src/contract/hold.js';
import { bookingWorkflow, bookingWorkflowId } from '../../src/contract/names.js';
import { reconciliationWorkflow } from '../../src/contract/reconciliation.js';
import { roleWorkflow, suspendedSignal } from '../../src/contract/role.js';
import { timeSkippingEnv } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { holdWorker } from '../support/holds.js';
import { Outage } from '../support/outage.js';
import { fewDays } from '../support/reconciliation-stories.js';
import { day, hour } from '../support/reservations.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

/** A platform whose rows the database does not take, but for those of holds. */
class RowsRefused extends FakePlatform {
  private readonly database = new Outage();
  override activities() {
    this.database.down = 'refuses';
    const rows = ['audit', 'lookForBooking', 'raiseAlert'] as const;
    const activities = { ...super.activities(), probeRole: async () => refused };
    return this.database.over(activities, rows);
  }
}
const refused = { kind: 'refused', code: 'UNAUTHORIZED' } as const;

/** Activities in a history by name, each with its wait before the second try in ms; those tried once are left out. */
async function firstWaits(workflowId: string): Promise<[string, number][]> {
  const { events } = await env.client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => {
    const { retryPolicy, activityType } = scheduled ?? {};
    if (!retryPolicy || retryPolicy.maximumAttempts === 1) return [];
    const first = optionalTsToMs(retryPolicy.initialInterval) ?? 0;
    expect(optionalTsToMs(retryPolicy.maximumInterval)).toBeCloseTo(30 * first, -2);
    expect(first).toBeGreaterThanOrEqual(1_000);
    expect(first).toBeLessThanOrEqual(2_000);
    return [[activityType?.name ?? '', first]];
  });
}

it('each workflow retries what the database refused at a different moment', async () => {
  const platform = new RowsRefused();
  platform.schedules.database.down = 'refuses';
  const { whileRunning, hold } = await holdWorker(env, platform);
  const now = await env.currentTimeMs();
  const holds = [1001, 1002].map((carId) =>
    hold({
      holdId: randomUUID(),
      carId,
      period: { start: now + day, end: now + 2 * day },
      by: 'kim',
      reason: 'maintenance',
      withdrawFromSale: false,
      reservationId: null,
      mark: 'mark',
    }),
  );
  const { taskQueue } = holds[0] ?? expect.fail('no hold');
  const started: string[] = [];
  const start = async (type: string, workflowId: string, args: unknown[]) => {
    started.push(workflowId);
    await env.client.workflow.start(type, { workflowId, taskQueue, args });
  };
  await whileRunning(async () => {
    for (const one of holds) await one.start();
    const by = 'kim';
    for (const commandId of [randomUUID(), randomUUID()]) {
      const request = {
        productId: 7,
        startAt: now + hour,
        endAt: now + day,
        pickupAddress: 'Station exit 3',
        driver: { name: 'A Person', birth: '19900101', phone: '0101', licenseNumber: '11', address: 'A' },
      };
      await start(bookingWorkflow, bookingWorkflowId(commandId), [{ commandId, by, request }]);
      const write = { kind: 'memo', carId: 1001, content: commandId };
      await start(carWriteWorkflow, carWriteWorkflowId(commandId), [{ commandId, by, write }]);
    }
    const roles = (['supplier', 'channel'] as const).map((role) => ({ role, id: randomUUID() }));
    for (const { role, id } of roles) {
      await env.client.workflow.signalWithStart(roleWorkflow, {
        workflowId: id,
        taskQueue,
        args: [{ role, probeMs: hour, historyEventsPerRun: 4_000 }],
        signal: suspendedSignal,
        signalArgs: [{ reservationId: null, code: 'UNAUTHORIZED' }],
      });
      started.push(id);
    }
    await start(reconciliationWorkflow, randomUUID(), [fewDays]);
    try {
      const seen = async () => {
        const ids = [...started, ...holds.map(({ request }) => holdWorkflowId(request.holdId))];
        return (await Promise.all(ids.map(firstWaits))).flat();
      };
      const names = ['audit', 'lookForBooking', 'raiseAlert', 'recordHold'];
      const waits: number[] = [];
      for (const name of names) {
        const own = async () => (await seen()).flatMap(([one, ms]) => (one === name ? ms : []));
        await expect.poll(async () => (await own()).length, { timeout: 20_000 }).toBe(2);
        waits.push(...(await own()));
      }
      // two of them may meet by chance, one time in a thousand
      expect(new Set(waits).size).toBeGreaterThan(names.length);
      expect((await seen()).map(([name]) => name)).toContain('readScheduleSlice');
    } finally {
      for (const id of started) await env.client.workflow.getHandle(id).terminate('the test is over');
    }
  });
});

it('an outage adds one activity to the history of a hold, and its row is written once the database is back', async () => {
  const platform = new FakePlatform();
  const { whileRunning, hold } = await holdWorker(env, platform);
  const now = Math.floor((await env.currentTimeMs()) / 1_000) * 1_000;
  const one = hold({
    holdId: randomUUID(),
    carId: 1001,
    period: { start: now + 9 * day, end: now + 10 * day },
    by: 'kim',
    reason: 'maintenance',
    withdrawFromSale: false,
    reservationId: null,
    mark: 'mark',
  });
  const { database } = platform.schedules;
  await whileRunning(async () => {
    await one.start();
    await one.settled();
    await expect.poll(() => platform.schedules.records.at(-1)?.facts.state).toBe('planned');
    database.down = 'refuses';
    expect(await one.change({ commandId: 'c-1', end: now + 11 * day })).toMatchObject({
      command: { outcome: 'applied' },
    });
    await expect.poll(() => firstWaits(holdWorkflowId(one.request.holdId))).toHaveLength(1);
    await env.sleep(hour);
    expect(database.tries.length).toBeGreaterThan(30);
    expect(await firstWaits(holdWorkflowId(one.request.holdId))).toHaveLength(1);
    // as in any outage: it is answered, and its row follows
    expect(await one.change({ commandId: 'c-2', end: now + 12 * day })).toMatchObject({
      command: { outcome: 'applied' },
    });
    database.end();
    await env.sleep(2 * 60_000);
    await expect.poll(() => platform.schedules.records.at(-1)?.facts.period.end).toBe(now + 12 * day);
  });
});
