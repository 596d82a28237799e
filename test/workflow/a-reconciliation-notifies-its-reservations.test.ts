import { ApplicationFailure } from '@temporalio/common';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reconciliationId } from '../../src/contract/reconciliation.js';
import { timeSkippingEnv } from '../support/engine.js';
import { fewDays, ReconcilingPlatform, reconciliationStories } from '../support/reconciliation-stories.js';
import { reservationWorker } from '../support/reservations.js';
import { scan } from '../support/scan.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

it('L13, F50: a reconciliation reads each slice, notifies the waiting reservations, and puts no entry into a history', async () => {
  const platform = new ReconcilingPlatform(env.client);
  const { whileRunning, reservation } = await reservationWorker(env, platform);
  const rental = reservation();
  await whileRunning(async () => {
    await reconciliationStories.corroborated?.play(rental, platform);
    const view = await rental.view();
    expect(view.period).toMatchObject({ grade: 'observed', changes: 1 });
    const timeline = platform.records.flatMap(({ entries }) => entries);
    expect(timeline.filter(({ data }) => data.scheduleId === 77)).toMatchObject([{ rule: 'L13' }]);
    const history = await env.client.workflow.getHandle(reconciliationId).fetchHistory();
    const kept = JSON.parse(historyToJSON(history));
    expect(scan(kept, ['sliceDays'])).not.toEqual([]);
    expect(scan(kept, ['scheduleId', 'carId'])).toEqual([]);
    // not the events: how many workflow tasks it takes depends on which answers come together
    const activities = history.events?.filter((event) => event.activityTaskScheduledEventAttributes);
    expect(activities).toHaveLength(5);
  });
});

it.each([
  { how: 'is refused', met: { nonRetryable: true }, codes: ['INVALID_REQUEST'], ends: false },
  // its workers watch from outside
  { how: 'is put off for long', met: { nextRetryDelay: '40m' as const }, codes: [], ends: true },
])('F51: the report of the workflow about a reading that $how', async ({ met, codes, ends }) => {
  const platform = new ReconcilingPlatform(env.client);
  platform.refusals.push(ApplicationFailure.create({ type: 'INVALID_REQUEST', ...met }));
  const { whileRunning, reservation } = await reservationWorker(env, platform);
  await whileRunning(async () => {
    const result = reservation().reconcile(fewDays);
    if (ends) expect(await result).toMatchObject({ told: 0 });
    else await expect(result).rejects.toThrow();
    expect(platform.stuck).toEqual(codes);
  });
});
