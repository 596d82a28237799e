import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { timeSkippingEnv } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { car, company, hour, minute, reservationWorker } from '../support/reservations.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

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
