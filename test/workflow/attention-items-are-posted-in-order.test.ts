import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Policy } from '../../src/domain/reservation/index.js';
import { timeSkippingEnv } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { car, company, day, hour, minute, policy, reservationWorker } from '../support/reservations.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

/** In use past its end, returned, recalled, closed: the entries about attention, and what operations received. */
async function lateReturn(platform: FakePlatform, changes: Partial<Policy> = {}) {
  const { whileRunning, reservation } = await reservationWorker(env, platform);
  const rental = reservation({ policy: { ...policy, ...changes } });
  const now = await env.currentTimeMs();
  const period = { start: now + 2 * hour, end: now + 5 * hour };
  await whileRunning(async () => {
    const reportStatus = (status: number) =>
      rental.deliver(rental.event({ status, period, car, company, createdAt: now }));
    await rental.deliver(
      rental.event({ channel: 'registration', status: 5, period, car, company, createdAt: now }),
    );
    for (const status of [10, 15]) await reportStatus(status);
    await env.sleep(3 * hour);
    await reportStatus(20);
    await env.sleep(2 * hour + 20 * minute);
    await reportStatus(30);
    await env.sleep(13 * hour);
    await reportStatus(35);
    await expect.poll(async () => (await rental.view()).status.code).toBe(35);
    await env.sleep(2 * day);
    await expect.poll(async () => (await rental.handle.describe()).status.name).toBe('COMPLETED');
  });
  const lines = platform.records.flatMap(({ entries }) => entries).filter(({ attention }) => attention);
  const posted = platform.posts.flatMap(({ entries }) => entries);
  return { lines, posted };
}
const changesOf = (lines: { attention?: { kind: string; change: string } }[]) =>
  lines.map(({ attention }) => `${attention?.kind} ${attention?.change}`);

it('each entry that raises or clears an item is posted once, after it is recorded, in order', async () => {
  const platform = new FakePlatform();
  platform.answerToRecord = { posts: true };
  const { lines, posted } = await lateReturn(platform);
  expect(posted).toEqual(lines);
  expect(changesOf(posted)).toEqual(
    expect.arrayContaining(['return-late raised', 'return-late cleared', 'recall-overdue raised']),
  );
});

it('without a receiver of alerts, nothing is posted', async () => {
  const platform = new FakePlatform();
  const { lines, posted } = await lateReturn(platform);
  expect(lines.length).toBeGreaterThan(2);
  expect(posted).toEqual([]);
});

it('entries that the database does not accept wait, from run to run, and are posted before the reservation closes', async () => {
  const platform = new FakePlatform();
  platform.answerToRecord = { posts: true };
  const activities = platform.activities();
  let refused = 0;
  platform.activities = () => ({
    ...activities,
    postAttention: async (lines) => {
      if (refused++ < 40) throw new Error('the database is away');
      await activities.postAttention(lines);
    },
  });
  const { lines, posted } = await lateReturn(platform, { historyEventsPerRun: 20 });
  expect(refused).toBeGreaterThan(40);
  expect(posted).toEqual(lines);
});
