import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { timeSkippingEnv } from '../support/engine.js';
import {
  car,
  company,
  FakePlatform,
  hour,
  minute,
  policy,
  refusalOf,
  reservationWorker,
} from '../support/reservations.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

/** A platform whose database can be down. */
class Outage extends FakePlatform {
  down = true;
  override activities() {
    const activities = super.activities();
    const record: typeof activities.record = async (input) => {
      if (this.down) throw new Error('the database is down');
      await activities.record(input);
    };
    return { ...activities, record };
  }
  /** Events by their verdicts, in the order written. */
  get judged(): number[] {
    return this.records.flatMap(({ verdicts }) => verdicts.map(({ inboxId }) => inboxId));
  }
}

async function rentalOf(platform: FakePlatform, own = {}) {
  const { whileRunning, reservation } = await reservationWorker(env, platform);
  const rental = reservation({ policy: { ...policy, ...own } });
  const now = await env.currentTimeMs();
  const period = { start: now + 2 * hour, end: now + 12 * hour };
  const news = (status: number) => rental.event({ status, period, car, company });
  return { whileRunning, rental, news };
}

it('rows that the database cannot take are carried into the next run and written once it is back', async () => {
  const platform = new Outage();
  const { whileRunning, rental, news } = await rentalOf(platform, { signalsPerRun: 2 });
  const events = [news(5), news(10)];
  await whileRunning(async () => {
    await rental.deliver(...events.slice(0, 1));
    const { runId } = await rental.handle.describe();
    await rental.deliver(...events.slice(1));
    await expect
      .poll(async () => (await rental.handle.describe()).runId, { timeout: 10_000 })
      .not.toBe(runId);
    expect(platform.judged).toEqual([]);
    platform.down = false;
    await env.sleep(minute);
    expect(platform.judged).toEqual(events.map(({ inboxId }) => inboxId));
  });
});

it('L47: a reservation whose rows are not written does not close', async () => {
  const platform = new Outage();
  const { whileRunning, rental, news } = await rentalOf(platform, { settleMs: minute });
  await whileRunning(async () => {
    await rental.deliver(news(45));
    await env.sleep(2 * minute);
    expect((await rental.handle.describe()).status.name).toBe('RUNNING');
    platform.down = false;
    await rental.handle.result();
    expect(platform.judged).toHaveLength(1);
  });
});

it('L20: the news that came with a refused action is recorded in the same run', async () => {
  const platform = new FakePlatform();
  const { whileRunning, rental, news } = await rentalOf(platform);
  const event = news(5);
  // no worker polls yet, so the start, the news and the action come in one workflow task
  await rental.deliver(event);
  const { runId } = await rental.handle.describe();
  const refused = refusalOf(rental.press('recall.complete'));
  await whileRunning(async () => {
    expect(await refused).toMatchObject({ code: 'STATUS_BEHIND' });
    await expect.poll(() => platform.records.length, { timeout: 10_000 }).toBe(1);
    expect(platform.records[0]?.verdicts).toMatchObject([{ inboxId: event.inboxId, verdict: 'applied' }]);
    expect((await rental.handle.describe()).runId).toBe(runId);
  });
});
