import { afterAll, beforeAll, expect, it } from 'vitest';
import { devServer, type TestDevServer } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { car, company, hour, refusalOf, reservationWorker } from '../support/reservations.js';

let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer();
});
afterAll(() => engine?.stop());

it('L20: a refusal costs nothing: no platform call, no history event', async () => {
  const platform = new FakePlatform();
  const { whileRunning, reservation } = await reservationWorker(engine, platform);
  await whileRunning(async () => {
    const rental = reservation();
    const period = { start: Date.now() + hour, end: Date.now() + 2 * hour };
    await rental.deliver(rental.event({ channel: 'registration', status: 5, period, car, company }));
    await expect.poll(async () => (await rental.view()).status.code).toBe(5);
    // its rows are written within the task that showed it
    const { handle } = rental;
    const isQuiet = async () => (await handle.describe()).raw.pendingWorkflowTask == null;
    await expect.poll(async () => platform.records.length === 1 && (await isQuiet())).toBe(true);
    const length = async () => (await handle.describe()).historyLength;
    const before = await length();
    expect(await refusalOf(rental.sendAction('recall.complete'))).toMatchObject({ code: 'STATUS_BEHIND' });
    expect(await length()).toBe(before);
    expect(platform.attempts).toEqual([]);
  });
});
