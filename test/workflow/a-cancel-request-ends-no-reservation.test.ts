import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DatabaseOutage } from '../support/database-outage.js';
import { timeSkippingEnv } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { car, company, hour, minute, reservationWorker } from '../support/reservations.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

it('a reservation that received a cancel request writes the rows that its database refused, by one retried activity', async () => {
  const platform = new DatabaseOutage();
  const { whileRunning, reservation } = await reservationWorker(env, platform);
  const rental = reservation();
  const now = await env.currentTimeMs();
  const period = { start: now + 2 * hour, end: now + 12 * hour };
  const events = [5, 10].map((status) => rental.event({ status, period, car, company }));
  await whileRunning(async () => {
    await rental.deliver(...events.slice(0, 1));
    await expect.poll(() => platform.judged.length, { timeout: 10_000 }).toBe(1);
    await rental.handle.cancel();
    platform.database.down = 'refuses';
    await rental.deliver(...events.slice(1));
    await expect.poll(() => platform.database.tries.length, { timeout: 10_000 }).toBeGreaterThan(1);
    await env.sleep(10 * minute);
    const { events: history } = await rental.handle.fetchHistory();
    const scheduled = history?.filter((one) => one.activityTaskScheduledEventAttributes);
    expect(scheduled).toHaveLength(1);
    platform.database.end();
    await env.sleep(2 * minute);
    await expect
      .poll(() => platform.judged, { timeout: 10_000 })
      .toEqual(events.map(({ inboxId }) => inboxId));
  });
});

it('a reservation whose workflow receives a cancel request accepts callbacks and actions, and meets its deadlines', async () => {
  const platform = new FakePlatform();
  const { whileRunning, reservation } = await reservationWorker(env, platform);
  const rental = reservation();
  const now = await env.currentTimeMs();
  const period = { start: now + 2 * hour, end: now + 12 * hour };
  await whileRunning(async () => {
    await rental.deliver(rental.event({ status: 5, period, car, company }));
    expect((await rental.view()).status.code).toBe(5);
    await rental.handle.cancel();
    expect((await rental.sendAction('dispatch.staff')).command.outcome).toBe('applied');
    await rental.deliver(rental.event({ status: 10, period, car, company }));
    expect((await rental.view()).status.code).toBe(10);
    await env.sleep(2 * hour + minute);
    expect((await rental.view()).attention.map(({ kind }) => kind)).toContain('handover-late');
    expect((await rental.handle.describe()).status.name).toBe('RUNNING');
  });
});
