import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionAttempt } from '../../src/contract/attempt.js';
import { type MarkedView, type ViewInput, viewQuery } from '../../src/contract/reservation.js';
import { markOf } from '../../src/domain/shared/idempotency.js';
import { timeSkippingEnv } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import {
  car,
  company,
  hour,
  policy,
  refusalOf,
  reservationWorker,
  skippingEarlierSteps,
} from '../support/reservations.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

async function registered(platform: FakePlatform, start = {}) {
  const { whileRunning, reservation } = await reservationWorker(env, platform);
  const rental = reservation(start);
  const now = await env.currentTimeMs();
  const period = { start: now + 2 * hour, end: now + 12 * hour };
  const fact = (status: number) => rental.event({ status, period, car, company });
  const begin = () => rental.deliver({ ...fact(5), channel: 'registration' });
  return { whileRunning, rental, fact, begin };
}

describe('commands', () => {
  it('L20: an action that overtakes the first callback is decided on it, and refused or sent accordingly', async () => {
    const platform = new FakePlatform();
    const { reservation, whileRunning } = await reservationWorker(env, platform);
    const now = await env.currentTimeMs();
    const period = { start: now + 2 * hour, end: now + 12 * hour };
    const [sent, refused] = [reservation(), reservation()];
    // No worker polls yet, so the start, the callback and the action come in one workflow task.
    for (const rental of [sent, refused]) {
      await rental.deliver(rental.event({ channel: 'registration', status: 5, period, car, company }));
    }
    const acted = sent.sendAction('dispatch.staff');
    const late = refusalOf(refused.sendAction('recall.complete'));
    await whileRunning(async () => {
      expect((await acted).command.outcome).toBe('applied');
      expect(await late).toMatchObject({ code: 'STATUS_BEHIND' });
    });
  });

  it('L21: a repeated id returns the first result, and another body under it is refused', async () => {
    const platform = new FakePlatform();
    const { whileRunning, rental, begin } = await registered(platform);
    await whileRunning(async () => {
      await begin();
      const first = await rental.sendAction('dispatch.start', {
        ...skippingEarlierSteps,
        commandId: 'command-1',
      });
      const again = await rental.sendAction('dispatch.start', {
        ...skippingEarlierSteps,
        commandId: 'command-1',
      });
      expect(again.command).toEqual(first.command);
      const past = await rental.sendAction('dispatch.start', {
        ...skippingEarlierSteps,
        commandId: 'command-1',
        updateId: 'another-update',
      });
      expect(past.command).toEqual(first.command);
      const other = rental.sendAction('dispatch.staff', {
        commandId: 'command-1',
        updateId: 'a-third-update',
      });
      expect(await refusalOf(other)).toMatchObject({ code: 'COMMAND_ID_REUSED' });
      expect(platform.attempts).toHaveLength(1);
      const withMarks = await rental.handle.query<MarkedView, [ViewInput]>(viewQuery, { withMarks: true });
      expect(withMarks.commandMarks).toEqual([
        { key: 'command.command-1', mark: markOf('dispatch.start', {}) },
      ]);
      expect(await rental.handle.query(viewQuery)).not.toHaveProperty('commandMarks');
      expect(JSON.stringify(first)).not.toContain(markOf('dispatch.start', {}));
    });
  });

  it('L21: a repeated id returns the first result also after the run continued as new', async () => {
    const platform = new FakePlatform();
    const { whileRunning, rental, begin, fact } = await registered(platform, {
      policy: { ...policy, signalsPerRun: 3 },
    });
    await whileRunning(async () => {
      await begin();
      const first = await rental.sendAction('dispatch.start', {
        ...skippingEarlierSteps,
        commandId: 'command-1',
      });
      const { runId } = await rental.handle.describe();
      for (let i = 0; i < 3; i++) await rental.deliver(fact(10));
      await expect.poll(async () => (await rental.handle.describe()).runId).not.toBe(runId);
      expect((await rental.view()).status).toMatchObject({ code: 10, grade: 'observed' });
      const again = await rental.sendAction('dispatch.start', {
        ...skippingEarlierSteps,
        commandId: 'command-1',
      });
      expect(again.command).toEqual(first.command);
      expect(platform.attempts).toHaveLength(1);
    });
  });

  it('a change of the policy reaches an open reservation when its run continues as new', async () => {
    const platform = new FakePlatform();
    const { reservation, whileRunning } = await reservationWorker(env, platform);
    const now = await env.currentTimeMs();
    const period = { start: now + 2 * hour, end: now + 12 * hour };
    const rental = reservation({ policy: { ...policy, roles: ['channel'], signalsPerRun: 3 } });
    await whileRunning(async () => {
      const fact = () => rental.event({ status: 5, period, car, company });
      await rental.deliver(fact());
      expect(await refusalOf(rental.sendAction('dispatch.staff'))).toMatchObject({ code: 'ROLE_OFF' });
      const { runId } = await rental.handle.describe();
      rental.policy = policy;
      await rental.deliver(fact());
      expect(await refusalOf(rental.sendAction('dispatch.staff'))).toMatchObject({ code: 'ROLE_OFF' });
      await rental.deliver(fact());
      await expect.poll(async () => (await rental.handle.describe()).runId).not.toBe(runId);
      expect((await rental.sendAction('dispatch.staff')).command.outcome).toBe('applied');
    });
  });

  it('L23: a rejected command has its reason and leaves the status unchanged', async () => {
    const platform = new FakePlatform();
    platform.answers.push({
      kind: 'refused',
      code: 'NOT_FOUND',
      message: 'no such reservation',
      forState: false,
    });
    const { whileRunning, rental, begin } = await registered(platform);
    await whileRunning(async () => {
      await begin();
      const { command, reservation } = await rental.sendAction('dispatch.start', skippingEarlierSteps);
      expect(command).toMatchObject({
        outcome: 'rejected',
        code: 'NOT_FOUND',
        message: 'no such reservation',
      });
      expect(reservation.status.code).toBe(5);
    });
  });

  it('L24: an unknown outcome stays visible until a callback shows the target status', async () => {
    const platform = new FakePlatform();
    const lost: ActionAttempt = { kind: 'unknown', code: 'TIMEOUT' };
    platform.answers.push(lost);
    const { whileRunning, rental, begin, fact } = await registered(platform);
    await whileRunning(async () => {
      await begin();
      const { command, reservation } = await rental.sendAction('dispatch.start', {
        ...skippingEarlierSteps,
        commandId: 'command-1',
      });
      expect(command.outcome).toBe('unknown');
      expect(reservation.status.code).toBe(5);
      await rental.deliver(fact(10));
      const seen = await rental.view();
      expect(seen.status).toMatchObject({ code: 10, grade: 'observed' });
      expect(seen.commands[0]).toMatchObject({ outcome: 'applied', settledBy: 'callback' });
      expect(platform.attempts).toHaveLength(1);
    });
  });

  it('L24, L30: a state-setting command of unknown outcome is sent again by the loop, with the same identity', async () => {
    const platform = new FakePlatform();
    platform.answers.push({ kind: 'unknown', code: 'TIMEOUT' });
    const { whileRunning, rental, begin } = await registered(platform);
    await whileRunning(async () => {
      await begin();
      await rental.sendAction('dispatch.start', skippingEarlierSteps);
      await env.sleep(10 * 60_000);
      expect((await rental.view()).commands[0]).toMatchObject({ outcome: 'applied', attempts: 2 });
      const [first, second] = platform.attempts.map(({ attempt }) => attempt.idempotencyKey);
      expect(second).toBe(first);
    });
  });

  it('L25: a photo of unknown outcome is not sent again automatically', async () => {
    const platform = new FakePlatform();
    const { whileRunning, rental, begin, fact } = await registered(platform);
    await whileRunning(async () => {
      await begin();
      await rental.deliver(fact(10));
      platform.answers.push({ kind: 'unknown', code: 'TIMEOUT' });
      await rental.sendAction('dispatch.parkingImage', skippingEarlierSteps);
      await env.sleep(hour);
      expect((await rental.view()).commands[0]).toMatchObject({ outcome: 'unknown', attempts: 1 });
      expect(platform.attempts).toHaveLength(1);
    });
  });

  it('L26: one request at a time; while it hangs, queries, refusals and events are still handled', async () => {
    const platform = new FakePlatform();
    const { whileRunning, rental, begin, fact } = await registered(platform);
    let release: (answer: ActionAttempt) => void = () => {};
    platform.answers.push(() => new Promise<ActionAttempt>((resolve) => (release = resolve)));
    await whileRunning(async () => {
      await begin();
      const first = rental.sendAction('dispatch.staff');
      await expect.poll(() => platform.attempts.length).toBe(1);
      const second = rental.sendAction('dispatch.start', skippingEarlierSteps);
      await expect
        .poll(async () => (await rental.view()).commands.map(({ outcome }) => outcome).sort())
        .toEqual(['out', 'queued']);
      await refusalOf(rental.sendAction('recall.complete'));
      await rental.deliver(fact(5));
      expect(platform.attempts).toHaveLength(1);
      release({ kind: 'accepted' });
      await Promise.all([first, second]);
      expect(platform.attempts.map(({ activity }) => activity)).toEqual(['dispatchStaff', 'dispatchStart']);
    });
  });
});
