import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DatabaseOutage } from '../support/database-outage.js';
import { timeSkippingEnv } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { car, company, hour, minute, policy, refusalOf, reservationWorker } from '../support/reservations.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

/** Milliseconds of a duration in a history. */
function msOf(duration: { seconds?: unknown; nanos?: number | null } | null | undefined): number {
  return Number(duration?.seconds ?? 0) * 1_000 + (duration?.nanos ?? 0) / 1e6;
}

/** @param direct its start offers to pass rows directly, also the first */
async function rentalOf(platform: FakePlatform, own = {}, direct = false) {
  const { whileRunning, reservation } = await reservationWorker(env, platform);
  const rental = reservation({ policy: { ...policy, ...own }, direct });
  const now = await env.currentTimeMs();
  const period = { start: now + 2 * hour, end: now + 12 * hour };
  const news = (status: number) => rental.event({ status, period, car, company });
  return { whileRunning, rental, news, reservation };
}

it('L47: a reservation whose rows are not written does not close', async () => {
  const platform = new DatabaseOutage();
  platform.database.down = 'refuses';
  const { whileRunning, rental, news } = await rentalOf(platform, { settleMs: minute });
  await whileRunning(async () => {
    await rental.deliver(news(45));
    await env.sleep(2 * minute);
    expect((await rental.handle.describe()).status.name).toBe('RUNNING');
    platform.database.down = false;
    await rental.handle.result();
    expect(platform.judged).toHaveLength(1);
  });
});

it('L60: a driver who is replaced before the database has rows with him goes with those rows, and no other person does', async () => {
  const platform = new FakePlatform();
  const { whileRunning, rental } = await rentalOf(platform);
  const person = (name: string) => ({
    driver: { name, birth: null, phone: `010-${name.length}`, licenseNumber: null, address: null },
  });
  const updated = (name: string) =>
    rental.event({ channel: 'update', status: 5, car, company, ...person(name) });
  await whileRunning(async () => {
    await rental.deliver(updated('Old Driver'), updated('Driver'));
    await expect.poll(() => platform.records.length, { timeout: 10_000 }).toBe(1);
    expect(platform.records[0]?.row?.private.drivers).toEqual(['Driver']);
    expect(platform.records[0]?.persons).toEqual([
      { name: 'Old Driver', phone: '010-10', licenseNumber: null },
    ]);
    await rental.deliver(updated('Driver'));
    await expect.poll(() => platform.records.length, { timeout: 10_000 }).toBe(2);
    expect(platform.records[1]).not.toHaveProperty('persons');
  });
});

it('waiting rows are retried beside everything else, at different times for each reservation: an outage of an hour adds one activity to each history', async () => {
  const platform = new DatabaseOutage();
  platform.database.down = 'refuses';
  const { whileRunning, rental, news, reservation } = await rentalOf(platform);
  const rentals = [rental, ...Array.from({ length: 4 }, () => reservation())];
  const event = news(5);
  await whileRunning(async () => {
    for (const each of rentals) await each.deliver({ ...event, inboxId: event.inboxId + each.id });
    await expect
      .poll(() => platform.database.tries.length, { timeout: 10_000 })
      .toBeGreaterThan(rentals.length);
    await env.sleep(hour);
    expect(platform.database.tries.length).toBeGreaterThan(30 * rentals.length);
    const longestWaits = new Set<number>();
    for (const { handle } of rentals) {
      const { events = [] } = await handle.fetchHistory();
      const scheduled = events?.flatMap((one) => one.activityTaskScheduledEventAttributes ?? []);
      expect(scheduled).toHaveLength(1);
      const { backoffCoefficient, initialInterval, maximumInterval } = scheduled?.[0]?.retryPolicy ?? {};
      expect(backoffCoefficient).toBe(2);
      const [first, last] = [msOf(initialInterval), msOf(maximumInterval)];
      expect(first).toBeGreaterThanOrEqual(1_000);
      expect(last).toBeCloseTo(30 * first, -2);
      expect(last).toBeLessThanOrEqual(minute);
      longestWaits.add(last);
    }
    // one of 30,000 waits each
    expect(longestWaits.size, 'they do not come back at the same moment').toBe(rentals.length);
    platform.database.down = false;
    await env.sleep(2 * minute);
    expect(platform.judged.toSorted()).toEqual(rentals.map(({ id }) => event.inboxId + id).toSorted());
  });
});

it.each([
  ['by an activity', false],
  ['directly', true],
])(
  'a silent database delays a query and an action once, by two seconds at most, and later ones not at all: rows written %s',
  async (_, direct) => {
    const platform = new DatabaseOutage();
    platform.database.down = 'is silent';
    const { whileRunning, rental, news } = await rentalOf(platform, {}, direct);
    await whileRunning(async () => {
      const event = news(5);
      await rental.deliver(event);
      // answered although no write has ended: the first was given up, and the retried one holds nothing
      expect((await rental.view()).status.code).toBe(5);
      await expect.poll(() => platform.database.tries.length, { timeout: 10_000 }).toBe(2);
      const { command } = await rental.sendAction('dispatch.staff');
      expect(command.outcome).toBe('applied');
      expect((await rental.view()).commands).toHaveLength(1);
      // no further write was begun meanwhile
      expect(platform.database.tries.length).toBe(2);
      platform.database.end();
      // the rows of the action follow once the retried write has ended: this server skips no time beside an activity left over
      const kinds = () => platform.records.flatMap(({ entries }) => entries.map(({ kind }) => kind));
      await expect.poll(kinds, { timeout: 10_000 }).toContain('command');
      // a write that was given up may end all the same
      expect(new Set(platform.judged)).toEqual(new Set([event.inboxId]));
    });
  },
);

it('as many rows as one run can hand over may wait; then actions are refused, and no event is lost', async () => {
  const platform = new DatabaseOutage();
  platform.database.down = 'refuses';
  const { whileRunning, rental, news } = await rentalOf(platform, { signalsPerRun: 2 });
  const events = Array.from({ length: 600 }, () => news(5));
  await whileRunning(async () => {
    await rental.deliver(...events.slice(0, 1));
    const commandId = randomUUID();
    const first = await rental.sendAction('dispatch.staff', { commandId });
    const { runId } = await rental.handle.describe();
    await rental.deliver(...events.slice(1));
    await expect
      .poll(() => refusalOf(rental.sendAction('dispatch.staff')), { timeout: 10_000 })
      .toMatchObject({ code: 'TIMELINE_WAITS' });
    expect((await rental.handle.describe()).runId).toBe(runId);
    // L21: a repeat adds no row
    const again = await rental.sendAction('dispatch.staff', { commandId, updateId: randomUUID() });
    expect(again.command.outcome).toBe(first.command.outcome);
    platform.database.down = false;
    await env.sleep(2 * minute);
    await expect.poll(() => platform.judged.length, { timeout: 10_000 }).toBe(events.length);
    expect(platform.judged).toEqual(events.map(({ inboxId }) => inboxId));
    expect((await rental.sendAction('dispatch.staff')).command.outcome).toBe('applied');
  });
});

it('L47: a case file that the database does not accept is retried, and then the reservation closes', async () => {
  const platform = new DatabaseOutage();
  const { whileRunning, rental, news } = await rentalOf(platform, { settleMs: minute });
  await whileRunning(async () => {
    await rental.deliver(news(45));
    await expect.poll(() => platform.judged.length, { timeout: 10_000 }).toBe(1);
    platform.database.down = 'refuses';
    await env.sleep(30 * minute);
    expect((await rental.handle.describe()).status.name).toBe('RUNNING');
    expect(platform.caseFiles).toEqual([]);
    platform.database.down = false;
    await rental.handle.result();
    expect(platform.caseFiles.length).toBeGreaterThan(0);
  });
});

it('L20: an event that came with a refused action is recorded in the same run', async () => {
  const platform = new FakePlatform();
  const { whileRunning, rental, news } = await rentalOf(platform);
  const event = news(5);
  // no worker polls yet, so the start, the news and the action come in one workflow task
  await rental.deliver(event);
  const { runId } = await rental.handle.describe();
  const refused = refusalOf(rental.sendAction('recall.complete'));
  await whileRunning(async () => {
    expect(await refused).toMatchObject({ code: 'STATUS_BEHIND' });
    await expect.poll(() => platform.records.length, { timeout: 10_000 }).toBe(1);
    expect(platform.records[0]?.verdicts).toMatchObject([{ inboxId: event.inboxId, verdict: 'applied' }]);
    expect((await rental.handle.describe()).runId).toBe(runId);
  });
});

// the last test: this server skips no time any more once a run has left a retried activity behind
it('rows that the database does not accept are carried into the next run and written once it is back', async () => {
  const platform = new DatabaseOutage();
  platform.database.down = 'refuses';
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
    platform.database.down = false;
    await expect
      .poll(() => platform.judged, { timeout: 10_000 })
      .toEqual(events.map(({ inboxId }) => inboxId));
  });
});
