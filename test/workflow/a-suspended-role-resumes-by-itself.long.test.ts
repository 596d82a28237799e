import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bookingWorkflow, bookingWorkflowId } from '../../src/contract/names.js';
import {
  type RoleStart,
  roleWorkflow,
  roleWorkflowId,
  type Suspension,
  suspendedSignal,
} from '../../src/contract/role.js';
import { timeSkippingEnv } from '../support/engine.js';
import {
  car,
  company,
  day,
  hour,
  reservationWorker,
  skippingEarlierSteps,
  type TestReservation,
} from '../support/reservations.js';
import { GuardedPlatform } from '../support/suspended-role.js';
import { createTestWorker } from '../support/test-worker.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

const supplier = () => env.client.workflow.getHandle(roleWorkflowId('supplier'));
const isOver = async () => (await supplier().describe()).status.name === 'COMPLETED';

/** Plays with `count` reservations at 5, their role's workflow ended afterwards. */
async function playing(
  platform: GuardedPlatform,
  count: number,
  play: (rentals: TestReservation[]) => Promise<void>,
): Promise<void> {
  const { whileRunning, reservation } = await reservationWorker(env, platform);
  const now = await env.currentTimeMs();
  const period = { start: now + 2 * hour, end: now + 10 * day };
  const rentals = Array.from({ length: count }, () => reservation());
  await whileRunning(async () => {
    try {
      for (const rental of rentals) {
        await rental.deliver(
          rental.event({ channel: 'registration', status: 5, period, car, company, createdAt: now }),
        );
      }
      await play(rentals);
    } finally {
      await platform.endRole('supplier');
    }
  });
}
const outcomeOf = async (rental: TestReservation) => (await rental.view()).commands[0]?.outcome;
const outcomes = (rentals: TestReservation[]) => Promise.all(rentals.map(outcomeOf));

describe('L30: a refused key', () => {
  it('suspends its role with one alert: only probes of the key are sent, and all actions continue by themselves', async () => {
    const platform = new GuardedPlatform(env.client);
    platform.refusal = () => 'UNAUTHORIZED';
    await playing(platform, 4, async ([late, ...rentals]) => {
      const acted = await Promise.all(
        rentals.map((rental) => rental.sendAction('dispatch.start', skippingEarlierSteps)),
      );
      expect(acted.map(({ command }) => command.outcome)).toEqual(['suspended', 'suspended', 'suspended']);
      await expect.poll(() => platform.alerts.open).toHaveLength(1);
      expect(platform.alerts.open[0]).toMatchObject({ kind: 'role-suspended', subject: 'supplier' });
      expect(platform.alerts.open[0]?.message).toMatch(/UNAUTHORIZED.*PLATFORM_SUPPLIER_API_KEY/);

      const sent = platform.commands.length;
      expect((await late?.sendAction('dispatch.start', skippingEarlierSteps))?.command).toMatchObject({
        outcome: 'suspended',
        code: 'ROLE_SUSPENDED',
        attempts: 0,
      });
      const tried = platform.probes.length;
      await env.sleep(10 * 60_000);
      expect(platform.commands).toHaveLength(sent);
      expect(platform.probes.length).toBeGreaterThanOrEqual(tried + 19);
      expect(platform.alerts.all).toHaveLength(1);

      platform.refusal = () => undefined;
      await env.sleep(60_000);
      expect(await outcomes([...rentals, ...(late ? [late] : [])])).toEqual(Array(4).fill('applied'));
      expect(platform.commands).toHaveLength(sent + 4);
      expect(platform.alerts.open).toEqual([]);
      await env.sleep(60_000);
      expect(await isOver()).toBe(true);
    });
  });

  it.each(['INTERNAL', 'TIMEOUT', 'UNREACHABLE', 'RATE_LIMITED', 'NOT_FOUND'] as const)(
    'a probe that ends as %s does not count as working',
    async (code) => {
      const platform = new GuardedPlatform(env.client);
      platform.refusal = ({ operation }) => (operation === 'listCars' ? code : 'UNAUTHORIZED');
      await playing(platform, 1, async (rentals) => {
        await rentals[0]?.sendAction('dispatch.start', skippingEarlierSteps);
        await env.sleep(5 * 60_000);
        expect(await outcomes(rentals)).toEqual(['suspended']);
        expect(platform.commands).toHaveLength(1);
        expect(platform.alerts.open).toHaveLength(1);
      });
    },
  );

  it('a 403 about one reservation only ends as rejected, without an alert, and delays no other reservation', async () => {
    const platform = new GuardedPlatform(env.client);
    await playing(platform, 2, async ([forbidden, other]) => {
      platform.refusal = ({ reservationId }) => (reservationId === forbidden?.id ? 'FORBIDDEN' : undefined);
      await forbidden?.sendAction('dispatch.start', skippingEarlierSteps);
      await expect
        .poll(async () => (await forbidden?.view())?.commands[0])
        .toMatchObject({ outcome: 'rejected', code: 'FORBIDDEN' });
      expect((await other?.sendAction('dispatch.start', skippingEarlierSteps))?.command.outcome).toBe(
        'applied',
      );
      expect(platform.alerts.all).toEqual([]);
      expect(platform.commands).toHaveLength(3);
      await env.sleep(60_000);
      expect(await isOver()).toBe(true);
    });
  });

  it('a key that may read and not act raises an alert too, and is probed ever more rarely', async () => {
    const platform = new GuardedPlatform(env.client);
    platform.refusal = ({ operation }) => (operation === 'listCars' ? undefined : 'UNAUTHORIZED');
    await playing(platform, 1, async (rentals) => {
      await rentals[0]?.sendAction('dispatch.start', skippingEarlierSteps);
      await env.sleep(day);
      expect(await outcomes(rentals)).toEqual(['suspended']);
      expect(platform.commands.length).toBeGreaterThan(10);
      expect(platform.commands.length).toBeLessThan(80);
      expect(platform.alerts.all[0]?.message).toMatch(/refuses actions of the deployment's supplier key/);
      platform.refusal = () => undefined;
      await env.sleep(hour);
      expect(await outcomes(rentals)).toEqual(['applied']);
      expect(platform.alerts.open).toEqual([]);
    });
  });

  it('a role that is removed from the deployment waits for nothing', async () => {
    const platform = new GuardedPlatform(env.client);
    platform.refusal = () => 'UNAUTHORIZED';
    await playing(platform, 1, async (rentals) => {
      await rentals[0]?.sendAction('dispatch.start', skippingEarlierSteps);
      platform.refusal = () => 'ROLE_OFF';
      await env.sleep(2 * 60_000);
      expect((await rentals[0]?.view())?.commands[0]).toMatchObject({
        outcome: 'rejected',
        code: 'ROLE_OFF',
      });
      expect(platform.alerts.open).toEqual([]);
    });
  });

  it('a role that is suspended for days continues over its runs, loses no reservation, and has one alert', async () => {
    const platform = new GuardedPlatform(env.client, { probeMs: 10 * 60_000, historyEventsPerRun: 60 });
    platform.refusal = () => 'UNAUTHORIZED';
    await playing(platform, 2, async (rentals) => {
      await Promise.all(rentals.map((rental) => rental.sendAction('dispatch.start', skippingEarlierSteps)));
      const { runId } = await supplier().describe();
      await env.sleep(3 * day);
      expect((await supplier().describe()).runId).not.toBe(runId);
      expect(platform.alerts.all).toHaveLength(1);
      const sent = platform.commands.length;
      platform.refusal = () => undefined;
      await env.sleep(hour);
      expect(await outcomes(rentals)).toEqual(['applied', 'applied']);
      expect(platform.commands).toHaveLength(sent + 2);
    });
  });

  it('a request to cancel its workflow changes nothing', async () => {
    const platform = new GuardedPlatform(env.client);
    platform.refusal = () => 'UNAUTHORIZED';
    await playing(platform, 1, async (rentals) => {
      await rentals[0]?.sendAction('dispatch.start', skippingEarlierSteps);
      await supplier().cancel();
      await env.sleep(2 * 60_000);
      platform.refusal = () => undefined;
      await env.sleep(2 * 60_000);
      expect(await outcomes(rentals)).toEqual(['applied']);
    });
  });

  it('the next action continues an alert whose workflow was ended', async () => {
    const platform = new GuardedPlatform(env.client);
    platform.refusal = () => 'UNAUTHORIZED';
    await playing(platform, 2, async ([first, second]) => {
      await first?.sendAction('dispatch.start', skippingEarlierSteps);
      await expect.poll(() => platform.alerts.open).toHaveLength(1);
      await platform.endRole('supplier');
      platform.refusal = () => undefined;
      expect((await second?.sendAction('dispatch.start', skippingEarlierSteps))?.command.code).toBe(
        'ROLE_SUSPENDED',
      );
      await env.sleep(60_000);
      expect(second && (await outcomeOf(second))).toBe('applied');
      expect(platform.alerts.open).toEqual([]);
    });
  });

  it('a refused booking ends with its code and suspends the channel; the next is not sent', async () => {
    const platform = new GuardedPlatform(env.client);
    platform.refusal = () => 'UNAUTHORIZED';
    const taskQueue = `bookings-${randomUUID()}`;
    platform.queue = taskQueue;
    const worker = await bareWorker(taskQueue, platform.activities());
    await worker.runUntil(async () => {
      try {
        expect(await book(taskQueue)).toMatchObject({ outcome: 'rejected', code: 'UNAUTHORIZED' });
        await expect.poll(() => platform.alerts.open).toMatchObject([{ subject: 'channel' }]);
        expect(platform.alerts.open[0]?.message).toContain('PLATFORM_CHANNEL_API_KEY');
        const { length } = platform.calls.filter(({ operation }) => operation === 'book');
        expect(await book(taskQueue)).toMatchObject({ outcome: 'rejected', code: 'ROLE_SUSPENDED' });
        expect(platform.calls.filter(({ operation }) => operation === 'book')).toHaveLength(length);
        expect(platform.probes.every(({ operation }) => operation === 'listProducts')).toBe(true);
        platform.refusal = () => undefined;
        await env.sleep(60_000);
        expect(platform.alerts.open).toEqual([]);
      } finally {
        await platform.endRole('channel');
      }
    });
  });

  function book(taskQueue: string): Promise<unknown> {
    const commandId = randomUUID();
    const driver = { name: 'A', birth: '19900101', phone: '010', licenseNumber: '1', address: 'B' };
    const request = { productId: 1, startAt: 0, endAt: 1, pickupAddress: 'C', driver };
    return env.client.workflow.execute(bookingWorkflow, {
      workflowId: bookingWorkflowId(commandId),
      taskQueue,
      args: [{ commandId, by: 'dana', request }],
    });
  }
});

function bareWorker(taskQueue: string, activities: object) {
  return createTestWorker({
    connection: env.nativeConnection,
    namespace: env.namespace ?? 'default',
    taskQueue,
    activities,
  });
}

describe('L30: the workflow of a role', () => {
  /** Runs it with a key that works, or as `works` states, on a queue of its own, and records what it restored. */
  async function withRole(
    play: (restored: number[][], signal: SignalWithStart, alerts: GuardedPlatform['alerts']) => Promise<void>,
    works = () => true,
  ) {
    const taskQueue = `roles-${randomUUID()}`;
    const restored: number[][] = [];
    const platform = new GuardedPlatform(env.client);
    const worker = await bareWorker(taskQueue, {
      ...platform.activities(),
      probeRole: async () => (works() ? { kind: 'works' } : { kind: 'refused', code: 'UNAUTHORIZED' }),
      restoreReservations: async (ids: number[]) => void restored.push(ids),
    });
    const signal: SignalWithStart = (suspension, start = {}) =>
      env.client.workflow.signalWithStart(roleWorkflow, {
        workflowId: roleWorkflowId('supplier'),
        taskQueue,
        args: [{ role: 'supplier', probeMs: 1_000, historyEventsPerRun: 4_000, ...start }],
        signal: suspendedSignal,
        signalArgs: [suspension],
      });
    await worker.runUntil(async () => {
      try {
        await play(restored, signal, platform.alerts);
      } finally {
        await platform.endRole('supplier');
      }
    });
  }
  type SignalWithStart = (suspension: Suspension, start?: Partial<RoleStart>) => Promise<unknown>;

  it('10,000 waiting reservations are carried from run to run and notified in batches', async () => {
    const waiting = Array.from({ length: 10_000 }, (_, i) => 9_000_000_000_000 + i);
    let probes = 0;
    await withRole(
      async (restored, signal) => {
        const carried = { waiting, alerted: true, relapses: 0 };
        await signal({ reservationId: 1, code: 'UNAUTHORIZED' }, { carried, historyEventsPerRun: 10 });
        await env.sleep(60_000);
        expect(restored.flat().toSorted((a, b) => a - b)).toEqual([1, ...waiting]);
        expect(Math.max(...restored.map((batch) => batch.length))).toBeLessThanOrEqual(200);
      },
      () => ++probes > 3,
    );
  });

  it('a late report of an earlier attempt is no relapse of the key: the command is retried at once', async () => {
    await withRole(async (restored, signal, alerts) => {
      await signal({ reservationId: 1, code: 'UNAUTHORIZED' });
      await expect.poll(() => restored.length).toBe(1);
      // sent before the key worked again, and reported after it
      await signal({ reservationId: 1, code: 'UNAUTHORIZED', restored: false });
      await expect.poll(() => restored.length).toBe(2);
      await env.sleep(5_000);
      expect(await isOver()).toBe(true);
      expect(alerts.all).toEqual([]);
    });
  });

  it('a reservation that is refused while the role resumes is notified too, by this run or by the next', async () => {
    await withRole(async (restored, signal) => {
      const ids = Array.from({ length: 40 }, (_, i) => i + 1);
      for (const reservationId of ids) {
        await signal({ reservationId, code: 'UNAUTHORIZED' });
        // the run ends a second after the last of them
        await env.sleep(940 + ((reservationId * 37) % 120));
      }
      await env.sleep(5_000);
      expect([...new Set(restored.flat())].toSorted((a, b) => a - b)).toEqual(ids);
      expect(await isOver()).toBe(true);
    });
  });

  it('a reservation that has ended is skipped', async () => {
    const platform = new GuardedPlatform(env.client);
    const { restoreReservations } = platform.activities();
    await restoreReservations([41, 42, 43]);
  });
});
