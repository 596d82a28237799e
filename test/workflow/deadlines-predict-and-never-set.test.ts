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

async function rentalOf(hours: number) {
  const { whileRunning, reservation } = await reservationWorker(env, new FakePlatform());
  const rental = reservation();
  const now = await env.currentTimeMs();
  const period = { start: now + hour, end: now + (1 + hours) * hour };
  const deliver = (status: number, end = period.end) =>
    rental.deliver(rental.event({ status, period: { ...period, end }, car, company }));
  const kinds = async () => (await rental.view()).attention.map(({ kind }) => kind);
  return { whileRunning, rental, period, deliver, kinds };
}

it('L42: the end passes at 15 without a sign of use: 45 is expected, overdue after the grace period, and never set', async () => {
  const { whileRunning, rental, deliver, kinds } = await rentalOf(4);
  await whileRunning(async () => {
    await deliver(15);
    await env.sleep(5 * hour + minute);
    expect(await rental.view()).toMatchObject({ status: { code: 15 }, expected: { code: 45 } });
    expect(await kinds()).not.toContain('callback-overdue');
    await env.sleep(3 * minute);
    expect(await kinds()).toContain('callback-overdue');
    expect((await rental.view()).status.code).toBe(15);
    await deliver(45);
    expect((await rental.view()).status).toMatchObject({ code: 45, grade: 'observed' });
    expect(await kinds()).not.toContain('callback-overdue');
  });
});

it('L43: the end passes at 20: 25 is expected, the lateness is raised, and clears with the return', async () => {
  const { whileRunning, rental, deliver, kinds } = await rentalOf(4);
  await whileRunning(async () => {
    await deliver(20);
    await env.sleep(5 * hour + minute);
    expect(await rental.view()).toMatchObject({ status: { code: 20 }, expected: { code: 25 } });
    expect(await kinds()).toContain('return-late');
    await deliver(30);
    expect(await rental.view()).toMatchObject({ status: { code: 30 } });
    expect(await kinds()).not.toContain('return-late');
  });
});

it('L12, L43: an extension moves the deadline: nothing is late before the new end', async () => {
  const { whileRunning, period, deliver, kinds } = await rentalOf(4);
  await whileRunning(async () => {
    await deliver(20);
    await env.sleep(4 * hour);
    await deliver(20, period.end + 3 * hour);
    await env.sleep(2 * hour);
    expect(await kinds()).not.toContain('return-late');
    await env.sleep(2 * hour + minute);
    expect(await kinds()).toContain('return-late');
  });
});
