import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsReturnedSignal } from '../../src/contract/reservation.js';
import { DatabaseOutage } from '../support/database-outage.js';
import { timeSkippingEnv } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { car, company, hour, reservationWorker, type TestStart } from '../support/reservations.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

async function rentalOf(platform: FakePlatform, start: TestStart = {}) {
  const { whileRunning, reservation } = await reservationWorker(env, platform);
  const rental = reservation(start);
  const now = await env.currentTimeMs();
  const period = { start: now + 2 * hour, end: now + 12 * hour };
  const news = (status: number) => rental.event({ status, period, car, company });
  const kinds = async () => {
    const { events } = await rental.handle.fetchHistory();
    return (events ?? []).map((event) => ({
      // of a local activity; a patch has a marker, too
      isMarker: event.markerRecordedEventAttributes?.markerName === 'core_local_activity',
      isActivity: event.activityTaskScheduledEventAttributes != null,
      signal: event.workflowExecutionSignaledEventAttributes?.signalName,
    }));
  };
  const markers = async () => (await kinds()).filter(({ isMarker }) => isMarker).length;
  /** An action whose request is out until `answer` is called. */
  const sendUnanswered = async (action: 'dispatch.staff' | 'dispatch.start') => {
    const attempts = platform.attempts.length;
    const answer = platform.holdAnswer();
    const sent = rental.sendAction(action);
    await expect.poll(() => platform.attempts.length, { timeout: 10_000 }).toBe(attempts + 1);
    return { answer, sent };
  };
  return { whileRunning, rental, news, kinds, markers, sendUnanswered };
}

it.each([
  ['that its start offers to pass directly', true, 0],
  ['after the first write of a run, whose answer offers it,', false, 1],
])('rows %s leave no event in the history, and a read sees them stored', async (_, direct, written) => {
  const platform = new FakePlatform();
  const { whileRunning, rental, news, markers } = await rentalOf(platform, { direct });
  await whileRunning(async () => {
    await rental.deliver(news(5));
    await rental.view();
    expect(platform.records).toHaveLength(1);
    expect(await markers()).toBe(written);
    for (const action of ['dispatch.staff', 'dispatch.start'] as const) {
      const before = platform.records.length;
      await rental.sendAction(action);
      expect(platform.records.length, 'an action is answered once its rows are stored').toBeGreaterThan(
        before,
      );
    }
    await rental.deliver(news(10));
    expect((await rental.view()).status).toMatchObject({ code: 10, grade: 'observed' });
    expect(platform.records.at(-1)?.verdicts).toHaveLength(1);
    expect(platform.records.at(-1)?.row).toMatchObject({ status: 10 });
    expect(await markers()).toBe(written);
  });
});

it('rows that change attention items are written by an activity, whose answer states whether they are posted', async () => {
  const platform = new FakePlatform();
  platform.answerToRecord = { posts: true };
  const { whileRunning, rental, news, markers } = await rentalOf(platform);
  await whileRunning(async () => {
    await rental.deliver(news(5));
    await rental.view();
    // the car has left without a departure (L09)
    await rental.deliver(news(20), rental.event({ status: 40 }));
    await expect.poll(() => platform.posts.length, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(await markers()).toBe(1);
  });
});

it('a callback that is judged while the platform is slow to answer an action has its rows before that answer', async () => {
  const platform = new FakePlatform();
  const { whileRunning, rental, news, sendUnanswered } = await rentalOf(platform);
  await whileRunning(async () => {
    await rental.deliver(news(5));
    await rental.view();
    const { answer, sent } = await sendUnanswered('dispatch.staff');
    await env.sleep(1_100);
    const cancelled = rental.event({ status: 40 });
    await rental.deliver(cancelled);
    await expect
      .poll(() => platform.records.at(-1), { timeout: 10_000 })
      .toMatchObject({ verdicts: [{ inboxId: cancelled.inboxId }], row: { status: 40 } });
    expect((await rental.view()).commands[0]?.outcome).toBe('out');
    answer();
    await sent;
  });
});

it('after a late answer, a callback has its rows before the next answer, however soon it comes', async () => {
  const platform = new FakePlatform();
  const { whileRunning, rental, news, sendUnanswered } = await rentalOf(platform);
  await whileRunning(async () => {
    await rental.deliver(news(5));
    await rental.view();
    const late = await sendUnanswered('dispatch.staff');
    await env.sleep(1_100);
    late.answer();
    await late.sent;
    const { answer, sent } = await sendUnanswered('dispatch.start');
    const soon = news(10);
    await rental.deliver(soon);
    await expect
      .poll(() => platform.records.at(-1)?.verdicts, { timeout: 10_000 })
      .toMatchObject([{ inboxId: soon.inboxId }]);
    answer();
    await sent;
  });
});

it('whom a returned row named is stored with the next, although another has replaced the person since', async () => {
  const platform = new DatabaseOutage();
  const { database } = platform;
  const { whileRunning, rental, news } = await rentalOf(platform);
  const drivenBy = (name: string) => ({
    ...news(5),
    driver: { name, birth: null, phone: '010', licenseNumber: null, address: null },
  });
  await whileRunning(async () => {
    await rental.deliver(news(5));
    await expect.poll(() => platform.judged.length).toBe(1);
    database.down = 'is silent';
    await rental.deliver(drivenBy('Kim Replaced'));
    await expect.poll(() => database.tries.length, { timeout: 10_000 }).toBe(1);
    // the worker waits for the database: this comes to the workflow together with the returned rows
    await rental.deliver(drivenBy('Lee Driver'));
    database.down = false;
    await expect.poll(() => platform.judged.length, { timeout: 60_000 }).toBe(3);
    const named = platform.records.flatMap(({ row, persons = [] }) => [
      ...(row?.private.drivers ?? []),
      ...persons.map(({ name }) => name),
    ]);
    expect(named).toContain('Kim Replaced');
    expect(named).toContain('Lee Driver');
  });
});

describe.each(['refuses', 'is silent'] as const)('a database that %s', (away) => {
  it('gets rows once it is back: the worker returns them by one signal, and nothing waits for them', async () => {
    const platform = new DatabaseOutage();
    const { whileRunning, rental, news, kinds } = await rentalOf(platform);
    const events = [5, 5, 5, 10, 10].map(news);
    const [first, second, ...later] = events;
    await whileRunning(async () => {
      await rental.deliver(...events.slice(0, 1));
      await expect.poll(() => platform.judged).toEqual([first?.inboxId]);
      platform.database.down = away;
      await rental.deliver(...events.slice(1, 2));
      await rental.view();
      // the write that came directly, and the first one that is retried
      await expect.poll(() => platform.database.tries.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
      const { command } = await rental.sendAction('dispatch.staff');
      expect(command.outcome).toBe('applied');
      await rental.deliver(...later);
      expect((await rental.view()).status.code).toBe(10);
      platform.database.end();
      await expect
        .poll(() => new Set(platform.judged), { timeout: 60_000 })
        .toEqual(new Set(events.map(({ inboxId }) => inboxId)));
      expect(platform.judged.indexOf(second?.inboxId ?? 0)).toBe(1);
      const history = await kinds();
      expect(history.filter(({ signal }) => signal === rowsReturnedSignal)).toHaveLength(1);
    });
  });
});
