import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ActionAttempt } from '../../src/contract/attempt.js';
import type { Action, ReservationEvent, ReservationView } from '../../src/domain/reservation/index.js';
import { timeSkippingEnv } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import {
  car,
  company,
  hour,
  minute,
  policy,
  refusalOf,
  reservationWorker,
  skippingEarlierSteps,
  type TestReservation,
} from '../support/reservations.js';

/**
 * `historyEventsPerRun: 1` makes a reservation continue as new at every quiet point. Two reservations live through the
 * same days, one so, one in a single run; whatever a user can see of them must be the same at every point.
 */
let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

interface Life {
  rental: TestReservation;
  platform: FakePlatform;
}
/** A moment of the script, done to both; `pauseMs`: how long nothing is done afterwards. */
interface Moment {
  does(life: Life): Promise<unknown>;
  pauseMs?: number;
}
/** No deadline of the script is a multiple of it, so none falls on the border of two moments. */
const shortPauseMs = 97_000;

const unknown: ActionAttempt = { kind: 'unknown', code: 'TIMEOUT' };
const busy: ActionAttempt = { kind: 'wait', code: 'RATE_LIMITED', retryAfterMs: 90_000 };
const refused: ActionAttempt = { kind: 'refused', code: 'INVALID_REQUEST', message: 'no', forState: false };

const sendAction =
  (action: Action, commandId: string, ...answers: ActionAttempt[]) =>
  async ({ rental, platform }: Life) => {
    platform.answers.push(...answers);
    const { command } = await rental.sendAction(action, { commandId, ...skippingEarlierSteps });
    // as the API does: what was not applied may have been settled since the engine kept the answer
    return command.outcome === 'applied' ? command : standing(await rental.view(), commandId);
  };
const standing = ({ commands }: ReservationView, id: string) =>
  commands.find(({ commandId }) => commandId === id);
const refusal =
  (action: Action, commandId: string, options = {}) =>
  ({ rental }: Life) =>
    refusalOf(
      rental.sendAction(action, { commandId, updateId: `another request of ${commandId}`, ...options }),
    );
const settle =
  (name: string, updateId: string, input: object) =>
  async ({ rental }: Life) => {
    await rental.handle.executeUpdate<unknown, [unknown]>(name, { updateId, args: [input] });
  };
const say =
  (parts: Partial<ReservationEvent>) =>
  ({ rental }: Life) =>
    rental.deliver(rental.event(parts));

/** From the registration to the end: every kind of message, answer and deadline. */
function script(start: number): Moment[] {
  const whole = { period: { start, end: start + 4 * hour }, car, company, companion: null };
  const otherCar = { ...whole, car: { id: 13, number: '34나1024' } };
  const longer = { ...otherCar, period: { start, end: start + 6 * hour } };
  const first = {
    eventId: 'first',
    contentHash: 'first',
    channel: 'registration' as const,
    status: 5,
    ...whole,
  };
  return [
    { does: say(first) },
    { does: sendAction('dispatch.staff', 'staff') },
    { does: say(first) },
    { does: sendAction('dispatch.start', 'start', unknown, busy, unknown), pauseMs: 30 * minute },
    { does: sendAction('dispatch.staff', 'staff') },
    { does: refusal('dispatch.start', 'staff') },
    { does: refusal('recall.carImage', 'too-early') },
    { does: say({ status: 10, ...whole }) },
    { does: sendAction('dispatch.parkingImage', 'photo-of-parking', unknown) },
    { does: sendAction('dispatch.carImage', 'photo-of-car') },
    { does: say({ channel: 'car', previousCarId: car.id, car: otherCar.car }) },
    { does: sendAction('dispatch.carImage', 'photo-of-other-car') },
    { does: sendAction('dispatch.complete', 'complete', refused) },
    { does: sendAction('dispatch.complete', 'complete-again'), pauseMs: 20 * minute },
    { does: say({ channel: 'status', status: 15 }), pauseMs: hour },
    { does: say({ status: 20, ...otherCar, driving: { start: start + minute } }), pauseMs: 6 * hour },
    { does: say({ channel: 'status', status: 25 }) },
    { does: say({ status: 25, ...longer }), pauseMs: 4 * hour },
    {
      does: settle('resolveAttention', 'call', {
        kind: 'return-late',
        reason: 'the customer called',
        by: 'lee',
      }),
    },
    { does: say({ channel: 'status', status: 99 }) },
    { does: say({ status: 10, ...whole }) },
    { does: say({ status: 30, ...longer }), pauseMs: 13 * hour },
    { does: sendAction('recall.staff', 'recall-staff', unknown) },
    {
      does: settle('resolveCommand', 'seen', {
        commandId: 'recall-staff',
        outcome: 'applied',
        reason: 'seen',
        by: 'lee',
      }),
    },
    // sent again, where a new one would be refused: the command is settled, the item is gone
    { does: settle('resolveCommand', 'seen', { commandId: 'recall-staff', outcome: 'applied' }) },
    { does: settle('resolveAttention', 'call', { kind: 'return-late' }) },
    { does: sendAction('recall.carImage', 'recall-photo') },
    { does: sendAction('recall.complete', 'recall-complete', busy), pauseMs: 20 * minute },
    { does: say({ channel: 'status', status: 35 }), pauseMs: 10 * hour },
    { does: say(first) },
    { does: sendAction('recall.complete', 'recall-complete') },
    { does: say({ channel: 'status', status: 40 }), pauseMs: 3 * hour },
  ];
}

it('L21, L40-L47: a new run at every quiet point changes nothing: views, answers, timeline, attempts', async () => {
  const single = new FakePlatform();
  const renewed = new FakePlatform();
  const workers = [await reservationWorker(env, single), await reservationWorker(env, renewed)] as const;
  const lives: [Life, Life] = [
    { platform: single, rental: workers[0].reservation() },
    { platform: renewed, rental: workers[1].reservation({ policy: { ...policy, historyEventsPerRun: 1 } }) },
  ];
  const runs = [new Set<string>(), new Set<string>()] as const;
  const begun: number[] = [];
  await workers[0].whileRunning(() =>
    workers[1].whileRunning(async () => {
      const moments = script((await env.currentTimeMs()) + hour);
      for (const [index, { does, pauseMs = shortPauseMs }] of moments.entries()) {
        begun.push(await env.currentTimeMs());
        const answers = [await does(lives[0]), await does(lives[1])];
        await env.sleep(pauseMs);
        for (const [which, { rental }] of lives.entries())
          runs[which]?.add((await rental.handle.describe()).runId);
        const [one, other] = await seenOf(lives, answers, begun);
        expect(other, `after moment ${index}`).toEqual(one);
      }
      for (const { rental } of lives) await rental.handle.result();
      begun.push(await env.currentTimeMs());
      const [one, other] = await seenOf(lives, lives.map(storyOf), begun);
      expect(other).toEqual(one);
      expect(one?.view).toMatchObject({ status: { code: 35 }, closed: true });
      expect(runs[0].size).toBe(1);
      expect(runs[1].size).toBeGreaterThan(moments.length / 2);
    }),
  );
}, 90_000);

/** What is written of a reservation (once: a step that was taken again says the same), and what reached the platform. */
function storyOf({ platform: { records, attempts } }: Life) {
  const lines = records.flatMap(({ entries }) => entries.map((entry) => [entry.seq, entry] as const));
  const verdicts = records.flatMap((record) => record.verdicts.map((one) => [one.inboxId, one] as const));
  return { lines: [...new Map(lines)], verdicts: [...new Map(verdicts)], attempts };
}

/** Views and answers, with the reservation's own id and moments replaced by the script's: the two ran some ms apart. */
async function seenOf(lives: Life[], answers: unknown[], begun: number[]) {
  const momentOf = (at: number) => `in moment ${begun.filter((other) => other <= at).length}`;
  const seen = [];
  for (const [which, { rental }] of lives.entries()) {
    const text = JSON.stringify({ view: await rental.view(), answer: answers[which] ?? null })
      .replaceAll(String(rental.id), '1')
      // a sequence is the time of a change, or more
      .replace(/"sequence":\d+/g, '"sequence":0')
      // which run owns an attempt is no business of the platform
      .replace(/"originalRunId":"[^"]+"/g, '"originalRunId":"a run"')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d/g, (iso) => momentOf(Date.parse(iso)))
      .replace(/(?<=":)\d{13}\b/g, (at) => `"${momentOf(Number(at))}"`);
    seen.push(JSON.parse(text));
  }
  return seen;
}

it('a run that only took over waits: without events no run follows it', async () => {
  const { reservation, whileRunning } = await reservationWorker(env, new FakePlatform());
  const rental = reservation({ policy: { ...policy, historyEventsPerRun: 1 } });
  await whileRunning(async () => {
    const start = (await env.currentTimeMs()) + 30 * hour;
    const period = { start, end: start + hour };
    await rental.deliver(rental.event({ status: 5, period, car, company }));
    const takenOverFrom = async () => {
      const [started] = (await rental.handle.fetchHistory()).events ?? [];
      return started?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
    };
    await expect.poll(takenOverFrom).toBeTruthy();
    const runId = async () => (await rental.handle.describe()).runId;
    const second = await runId();
    await env.sleep(20 * hour);
    expect(await runId()).toBe(second);
  });
});

it('a resolution that is sent again in a later run does not act a second time: newer evidence stays', async () => {
  const { reservation, whileRunning } = await reservationWorker(env, new FakePlatform());
  const rental = reservation({ policy: { ...policy, historyEventsPerRun: 1 } });
  await whileRunning(async () => {
    const start = (await env.currentTimeMs()) + 30 * hour;
    const facts = { period: { start, end: start + hour }, car, company };
    await rental.deliver(rental.event({ status: 5, ...facts }));
    const claim = (updateId: string) =>
      rental.handle.executeUpdate<ReservationView, [unknown]>('assertFacts', {
        updateId,
        args: [{ endAt: start + 2 * hour, reason: 'the customer called', by: 'lee' }],
      });
    const asserted = (await claim('assertFacts.first')).period;
    expect(asserted).toMatchObject({ grade: 'asserted' });
    const runId = async () => (await rental.handle.describe()).runId;
    const first = await runId();
    await rental.deliver(rental.event({ status: 10, ...facts, period: { start, end: start + 3 * hour } }));
    await expect.poll(runId).not.toBe(first);
    const newer = await rental.view();
    expect(newer.period).toMatchObject({ grade: 'observed' });
    expect(await claim('assertFacts.first')).toEqual(newer);
    expect(await rental.view()).toEqual(newer);
    expect((await claim('assertFacts.second')).period).toMatchObject({ grade: 'asserted' });
  });
});

it('L21: a key of a resolution is refused with another body, in its run and in later ones; 0.2.0 stored no bodies', async () => {
  const { reservation, whileRunning } = await reservationWorker(env, new FakePlatform());
  const rental = reservation({ policy: { ...policy, historyEventsPerRun: 60 } });
  await whileRunning(async () => {
    const start = (await env.currentTimeMs()) + 30 * hour;
    const facts = { period: { start, end: start + hour }, car, company };
    await rental.deliver(rental.event({ status: 5, ...facts }));
    let updates = 0;
    const assert = (hours: number, keyed: { settlementId?: string; updateId?: string; by?: string }) => {
      const { updateId = `update-${++updates}`, by = 'lee', ...key } = keyed;
      return rental.handle.executeUpdate<ReservationView, [unknown]>('assertFacts', {
        updateId,
        args: [{ endAt: start + hours * hour, reason: 'the customer called', by, ...key }],
      });
    };
    const runId = async () => (await rental.handle.describe()).runId;
    const first = await runId();
    // as the status API of 0.2.0 sends it
    await assert(2, { updateId: 'assertFacts.old' });
    await assert(3, { settlementId: 'constructor' });
    const otherBody = () => refusalOf(assert(4, { settlementId: 'constructor' }));
    for (const run of ['first', 'later']) {
      if (run === 'later') {
        const next = async () => {
          await rental.deliver(rental.event({ status: 10, ...facts }));
          return runId();
        };
        // a run ends when nothing waits, so there is a pause after each event
        await expect.poll(next, { timeout: 60_000 }).not.toBe(first);
      }
      const { period } = await rental.view();
      expect(await otherBody()).toMatchObject({ code: 'COMMAND_ID_REUSED' });
      expect((await assert(3, { settlementId: 'constructor', by: 'kim' })).period).toEqual(period);
      expect((await assert(5, { settlementId: 'old' })).period).toEqual(period);
    }
  });
}, 90_000);
