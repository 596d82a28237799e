import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LookAheadAnswer, Policy } from '../../src/domain/reservation/index.js';
import { timeSkippingEnv } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { car, company, hour, minute, policy, reservationWorker } from '../support/reservations.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

const override = { reason: 'no photo needed' };
const noted = { commandId: 'recall-1', override, body: { note: 'a scratch on the left door' } };
const busy = { kind: 'wait', code: 'RATE_LIMITED' } as const;
const kept = { carId: car.id, writerName: 'staff-1' };

async function rentalOf(changes: Partial<Policy> = {}) {
  const platform = new FakePlatform();
  const { whileRunning, reservation } = await reservationWorker(env, platform);
  const rental = reservation({ policy: { ...policy, ...changes } });
  const now = await env.currentTimeMs();
  const period = { start: now + hour, end: now + 4 * hour };
  const deliver = (status: number) => rental.deliver(rental.event({ status, period, car, company }));
  const noteIs = (outcome: string) =>
    eventually(`the note is ${outcome}`, async () => (await rental.view()).recall.note?.outcome === outcome);
  return { platform, whileRunning, rental, period, deliver, noteIs };
}

// first in the file: the server skips no time once a run was ended that had an activity on its way
it('F60: a rental that is on time reads no schedule and writes no memo: its history is as long as before', async () => {
  const { platform, whileRunning, rental, deliver } = await rentalOf();
  await whileRunning(async () => {
    for (const status of [15, 20]) await deliver(status);
    await env.sleep(2 * hour);
    await deliver(30);
    await rental.sendAction('recall.complete', { override });
    await env.sleep(4 * hour);
    expect((await rental.view()).status.code).toBe(35);
    expect([platform.looks, platform.cars.calls]).toEqual([[], []]);
    const { events } = await rental.handle.fetchHistory();
    const markers = events?.flatMap((one) => one.markerRecordedEventAttributes?.markerName ?? []);
    expect(markers?.filter((name) => name !== 'core_local_activity')).toEqual([]);
  });
});

it('F58: a memo whose answer is lost, and that waits over many runs, is written once', async () => {
  const { platform, whileRunning, rental, deliver, noteIs } = await rentalOf({ historyEventsPerRun: 1 });
  const waits = Array.from({ length: 14 }, () => busy);
  platform.cars.writes.push(...waits, { kind: 'lost' });
  await whileRunning(async () => {
    await deliver(30);
    const { command } = await rental.sendAction('recall.complete', noted);
    expect(command.outcome).toBe('applied');
    expect((await rental.view()).recall.note?.outcome).toBe('pending');
    await env.sleep(2 * hour);
    await noteIs('applied');
    const again = await rental.sendAction('recall.complete', { ...noted, updateId: 'another request' });
    expect(again.command).toMatchObject({ commandId: 'recall-1', outcome: 'applied' });
    await env.sleep(hour);
    const content = `[reservation ${rental.id}] a scratch on the left door`;
    expect(platform.cars.memos).toEqual([{ memoId: 1, content, ...kept }]);
    expect(platform.cars.calls.filter((call) => call === 'addCarMemo')).toHaveLength(15);
    expect(platform.attempts.map(({ activity }) => activity)).toEqual(['recallComplete']);
  });
});

it('F59: where memos cannot be read, the note is unknown, and a person is notified', async () => {
  const { platform, whileRunning, rental, deliver, noteIs } = await rentalOf();
  platform.cars.writes.push({ kind: 'unknown', code: 'TIMEOUT' });
  platform.cars.looks.push(...Array.from({ length: 40 }, () => busy));
  await whileRunning(async () => {
    await deliver(30);
    await rental.sendAction('recall.complete', noted);
    await env.sleep(10 * minute);
    await noteIs('unknown');
    expect((await rental.view()).attention.map(({ kind }) => kind)).toContain('note-not-kept');
  });
});

it('F64: a hanging read of the schedule delays nothing: events, actions and reads continue beside it', async () => {
  const { platform, whileRunning, rental, period, deliver } = await rentalOf();
  let answer: (found: LookAheadAnswer) => void = () => {};
  platform.schedule = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  await whileRunning(async () => {
    await deliver(20);
    await eventually('it is known', async () => (await rental.view()).status.code === 20);
    await env.sleep(4 * hour);
    await eventually('it is looked up', async () => platform.looks.length === 1);
    const { command } = await rental.sendAction('recall.staff', { override });
    expect(command.outcome).toBe('applied');
    await deliver(25);
    await eventually('the news is taken', async () => (await rental.view()).status.code === 25);
    expect((await rental.view()).danger).toBeNull();
    const next = {
      scheduleId: 7,
      type: 'R' as const,
      start: period.end + 2 * hour,
      end: period.end + 5 * hour,
    };
    answer({ kind: 'seen', next, candidates: [] });
    await eventually('what was found is shown', async () => (await rental.view()).danger !== null);
    platform.schedule = () => ({ kind: 'seen', next: null, candidates: null });
    await deliver(30);
    await eventually('it is over', async () => (await rental.view()).danger === null);
  });
});
