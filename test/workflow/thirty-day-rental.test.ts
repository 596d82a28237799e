import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { timeSkippingEnv } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { car, company, day, hour, reservationWorker } from '../support/reservations.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

it('L22, L47: a 30-day rental goes from registration to recall complete, stays open for a day and ends', async () => {
  const platform = new FakePlatform();
  const { whileRunning, reservation } = await reservationWorker(env, platform);
  await whileRunning(async () => {
    const start = (await env.currentTimeMs()) + 2 * hour;
    const period = { start, end: start + 30 * day };
    const rental = reservation();
    await rental.deliver(rental.event({ channel: 'registration', status: 5, period, car, company }));
    await rental.sendAction('dispatch.staff');
    await rental.sendAction('dispatch.start');
    await rental.deliver(rental.event({ status: 10, period, car, company }));
    await rental.sendAction('dispatch.parkingImage');
    await rental.sendAction('dispatch.carImage');
    await rental.sendAction('dispatch.complete');
    expect((await rental.view()).status).toMatchObject({ code: 15, grade: 'commanded' });
    await rental.deliver(rental.event({ status: 15, period, car, company }));
    expect((await rental.view()).status).toMatchObject({ code: 15, grade: 'observed' });
    expect((await rental.view()).display).toBe('assigned-car');

    await env.sleep(2 * hour);
    await rental.deliver(rental.event({ status: 20, period, car, company }));
    await env.sleep(29 * day);
    expect(await rental.view()).toMatchObject({ status: { code: 20 }, display: 'in-use', attention: [] });
    await rental.deliver(rental.event({ status: 30, period, car, company }));
    await rental.sendAction('recall.staff');
    await rental.sendAction('recall.carImage');
    const { command } = await rental.sendAction('recall.complete');
    expect(command).toMatchObject({ outcome: 'applied', by: 'staff-1', attempts: 1 });
    await rental.deliver(rental.event({ status: 35, period, car, company }));

    await env.sleep(23 * hour);
    expect((await rental.handle.describe()).status.name).toBe('RUNNING');
    await rental.handle.result();
    expect(platform.attempts.map(({ activity }) => activity)).toEqual([
      'dispatchStaff',
      'dispatchStart',
      'dispatchParkingImage',
      'dispatchCarImage',
      'dispatchComplete',
      'recallStaff',
      'recallCarImage',
      'recallComplete',
    ]);
    const verdicts = platform.records.flatMap(({ verdicts }) => verdicts);
    expect(verdicts).toHaveLength(6);
    expect(new Set(verdicts.map(({ inboxId }) => inboxId)).size).toBe(6);
    const seqs = platform.records.flatMap(({ entries }) => entries.map(({ seq }) => seq));
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });
});
