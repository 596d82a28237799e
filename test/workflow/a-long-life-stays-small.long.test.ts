import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { timeSkippingEnv } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { company, day, hour, reservationWorker, type TestReservation } from '../support/reservations.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

const days = 90;
const eventsInAll = 5_000;
/** A server warns at 10,240 and ends a run at 51,200; a worker that takes over replays them all within one task. */
const eventsPerRunAtMost = 1_500;
const carriedBytesAtMost = 64 * 1024;

it('a reservation with 5,000 events over 90 days has short runs, carries little state, and ends correctly', async () => {
  const platform = new FakePlatform();
  const { reservation, whileRunning } = await reservationWorker(env, platform);
  const rental = reservation();
  await whileRunning(async () => {
    const start = (await env.currentTimeMs()) + 2 * hour;
    let end = start + days * day;
    let car = 0;
    let sent = 0;
    const whole = (status: number) => ({
      status,
      company,
      period: { start, end },
      car: { id: car, number: `12가${1000 + car}` },
      pickupAddress: `서울시 중구 ${sent % 40}`,
      pickupMemo: `메모 ${sent} ${'가'.repeat(180)}`,
      companion: sent % 3 === 0 ? null : { name: `동승자 ${sent % 5}`, phone: '01000000003' },
    });
    const say = async (parts: Parameters<TestReservation['event']>[0]) => {
      sent += 1;
      await rental.deliver(rental.event(parts));
    };
    await say({ channel: 'registration', ...whole(5) });
    await rental.sendAction('dispatch.staff');
    await rental.sendAction('dispatch.start');
    await say(whole(10));
    await rental.sendAction('dispatch.parkingImage');
    await rental.sendAction('dispatch.carImage');
    await rental.sendAction('dispatch.complete');
    await say(whole(15));
    await env.sleep(2 * hour);
    await say(whole(20));
    const perDay = Math.ceil((eventsInAll - sent - 2) / days);
    for (let today = 0; today < days; today++) {
      for (let index = 0; index < perDay; index++) {
        if (index % 20 === 7) end += 60_000;
        if (index % 5 === 0)
          await say({ channel: 'car', previousCarId: car, car: { id: ++car % 9, number: null } });
        else if (index % 5 === 1) await say({ channel: 'status', status: [10, 15, 20, 99][index % 4] ?? 20 });
        else await say(whole(20));
      }
      await rental.sendAction('recall.staff');
      await env.sleep(day - hour);
    }
    await say(whole(30));
    await rental.sendAction('recall.carImage');
    await rental.sendAction('recall.complete');
    await say(whole(35));
    expect(sent).toBeGreaterThanOrEqual(eventsInAll);
    await rental.handle.result();

    const judged = new Set(
      platform.records.flatMap(({ verdicts }) => verdicts.map(({ inboxId }) => inboxId)),
    );
    expect(judged.size).toBe(sent);
    expect(await rental.view()).toMatchObject({ status: { code: 35, grade: 'observed' }, closed: true });
    const runs = await runsOf(rental);
    console.log(
      `${sent} events, ${days} days: ${runs.length} runs (events/bytes carried):`,
      runs.map((run) => `${run.events}/${run.carried}`).join(' '),
    );
    expect(runs.length).toBeGreaterThan(1);
    for (const { events, carried } of runs) {
      expect(events).toBeLessThan(eventsPerRunAtMost);
      expect(carried).toBeLessThan(carriedBytesAtMost);
    }
  });
}, 600_000);

/** Every run of a reservation, the last first: its history's length, and how many bytes it took over. */
async function runsOf(rental: TestReservation): Promise<{ events: number; carried: number }[]> {
  const runs: { events: number; carried: number }[] = [];
  for (let runId: string | undefined; runId !== ''; ) {
    const { workflowId } = rental.handle;
    const { events = [] } = await env.client.workflow.getHandle(workflowId, runId).fetchHistory();
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    const carried = (started?.input?.payloads ?? []).reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
    runs.push({ events: events?.length ?? 0, carried });
    runId = started?.continuedExecutionRunId ?? '';
  }
  return runs;
}
