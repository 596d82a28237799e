import type { Client } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { carWriteActivities } from '../../activities/car.js';
import { scheduleActivities } from '../../activities/hold.js';
import { commandActivities } from '../../activities/reservation.js';
import { type SendDeps, sendOnce } from '../../activities/shared/send-once.js';
import type { AttemptId } from '../../src/contract/attempt.js';
import type { CallOptions, PlatformClient } from '../../src/platform/client/index.js';
import { type CallErrorCode, PlatformCallError } from '../../src/platform/errors.js';
import { FakeAttempts } from '../support/attempts.js';

const second = 1_000;
const idOf = (attempt: string, originalRunId = 'run-1'): AttemptId => ({
  command: '17:dispatch.start:command-1',
  attempt,
  originalRunId,
});

interface Arrival {
  runId?: string;
  /** Milliseconds since it was scheduled. */
  ageMs?: number;
}

/** A worker whose platform accepts all, and a server that waits for the activities named. */
class World {
  readonly attempts = new FakeAttempts();
  /** Calls of the platform with their options. */
  readonly calls: CallOptions[] = [];
  describes = 0;
  /** When the server started the activity; null: it no longer waits for it. */
  startedAt: number | null = null;
  isTemporalAway = false;
  isSuspended = false;
  /** The code that every call of the platform ends with. */
  refusal: CallErrorCode | undefined;
  /** Called while the server is asked. */
  describing = () => {};

  get sending(): SendDeps {
    const describe = async () => {
      this.describes += 1;
      this.describing();
      if (this.isTemporalAway) throw new Error('away');
      const lastStartedTime =
        this.startedAt === null ? null : msToTs(Math.floor(this.startedAt / 1_000) * 1_000);
      return {
        raw: { pendingActivities: lastStartedTime === null ? [] : [{ activityId: '5', lastStartedTime }] },
      };
    };
    const client = {
      withDeadline: (_at: number, call: () => Promise<unknown>) => call(),
      workflow: { getHandle: () => ({ describe }) },
    } as unknown as Client;
    const gate = { isSuspended: async () => this.isSuspended };
    return { gate, attempts: this.attempts, client };
  }

  get platform(): PlatformClient {
    return new Proxy({} as PlatformClient, {
      get:
        () =>
        async (...args: unknown[]) => {
          this.calls.push(args.at(-1) as CallOptions);
          if (this.refusal !== undefined) throw new PlatformCallError(this.refusal, '', { operation: '' });
          return { memoId: 1, scheduleId: 2 };
        },
    });
  }

  run<A extends unknown[], R>(
    activity: (...args: A) => Promise<R>,
    { runId = 'run-1', ageMs = 0 }: Arrival,
    ...args: A
  ): Promise<R> {
    const env = new MockActivityEnvironment({
      activityId: '5',
      workflowExecution: { workflowId: 'reservation-17', runId },
      currentAttemptScheduledTimestampMs: Date.now() - ageMs,
      startToCloseTimeoutMs: 12 * second,
    });
    return env.run(activity, ...args);
  }

  /** A request that has to leave within so many milliseconds of its activity's scheduling. */
  send(arrival: Arrival, leaveWithinMs: number, attempt = '1.0') {
    const sending = { role: 'supplier' as const, id: idOf(attempt), leaveWithinMs };
    return this.run(
      () =>
        sendOnce(this.sending, sending, async (options) => {
          this.calls.push(options);
        }),
      arrival,
    );
  }

  start(id: AttemptId | undefined, arrival: Arrival = {}) {
    const { dispatchStart } = commandActivities(this.platform, async () => undefined, this.sending);
    const attempt = { reservationId: 17, idempotencyKey: 'key', body: {}, ...(id && { id }) };
    return this.run(dispatchStart, arrival, attempt);
  }
}

it('an attempt that another run recorded is not sent, because it may have happened', async () => {
  const world = new World();
  expect(await world.start(idOf('1.0'))).toEqual({ kind: 'accepted' });
  expect(await world.start(idOf('1.0'), { runId: 'reset' })).toEqual({ kind: 'unknown', code: 'RUN_LOST' });
  expect(world.calls).toHaveLength(1);
});

it('an attempt that its own run recorded before is not sent: a failover of the namespace runs it twice', async () => {
  const world = new World();
  await world.start(idOf('1.0'));
  expect(await world.start(idOf('1.0'))).toEqual({ kind: 'unknown', code: 'RUN_LOST' });
  expect(world.calls).toHaveLength(1);
});

it('the next attempt of the same command has an identity of its own', async () => {
  const world = new World();
  for (const attempt of ['1.0', '1.1', '2.0']) {
    expect(await world.start(idOf(attempt))).toEqual({ kind: 'accepted' });
  }
  expect(world.calls).toHaveLength(3);
});

it('every other write on the platform has the same guard', async () => {
  const world = new World();
  const cars = carWriteActivities(world.platform, world.sending, () => {});
  const holds = scheduleActivities(world.platform, world.sending, () => {});
  const period = { start: 0, end: 1 };
  const writes: ((id: AttemptId) => Promise<unknown>)[] = [
    (id) => world.run(cars.addCarMemo, {}, { carId: 1, content: 'x', id }),
    (id) => world.run(cars.setSaleStatus, {}, { productId: 1, carId: 1, saleYn: 'N', id }),
    (id) => world.run(holds.addSchedule, {}, { carId: 1, period, reason: 'x', id }),
    (id) => world.run(holds.changeSchedule, {}, { scheduleId: 1, carId: 1, period, reason: 'x', id }),
    (id) => world.run(holds.deleteSchedule, {}, { scheduleId: 1, id }),
  ];
  for (const [index, write] of writes.entries()) {
    expect(await write(idOf(`write-${index}`))).toMatchObject({ kind: 'done' });
    expect(await write(idOf(`write-${index}`))).toEqual({ kind: 'unknown', code: 'RUN_LOST' });
  }
  expect(world.calls).toHaveLength(writes.length);
});

it('without the database a normal run sends, and a reset run is held back', async () => {
  const world = new World();
  world.attempts.isAway = true;
  expect(await world.start(idOf('1.0'))).toEqual({ kind: 'accepted' });
  expect(await world.start(idOf('2.0'), { runId: 'reset' })).toEqual({
    kind: 'wait',
    code: 'ATTEMPT_NOT_RECORDED',
    keepsId: true,
  });
  expect(world.calls).toHaveLength(1);
});

it('an attempt of an earlier release has no identity and is sent', async () => {
  const world = new World();
  expect(await world.start(undefined)).toEqual({ kind: 'accepted' });
});

it('a frozen worker neither sends nor records an attempt that the server has given up meanwhile', async () => {
  const world = new World();
  const late = { ageMs: 3_600 * second };
  expect(await world.start(idOf('1.0'), late)).toEqual({
    kind: 'wait',
    code: 'ATTEMPT_EXPIRED',
    keepsId: true,
  });
  world.isTemporalAway = true;
  expect(await world.start(idOf('1.0'), late)).toEqual({
    kind: 'wait',
    code: 'ATTEMPT_EXPIRED',
    keepsId: true,
  });
  expect(world.calls).toEqual([]);
  expect(world.attempts.rows.size).toBe(0);
});

it('an attempt that waited for a worker is sent with the remaining time of the server', async () => {
  const world = new World();
  world.startedAt = Date.now() - 5 * second;
  expect(await world.start(idOf('1.0'), { ageMs: 14 * second })).toEqual({ kind: 'accepted' });
  const leftMs = (world.calls[0]?.until ?? 0) - Date.now();
  expect(leftMs).toBeLessThanOrEqual(7 * second);
  expect(leftMs).toBeGreaterThan(3 * second);
});

it('an attempt with too little time left for an answer is not sent', async () => {
  const world = new World();
  world.startedAt = Date.now() - 10 * second;
  expect(await world.start(idOf('1.0'), { ageMs: 14 * second })).toEqual({
    kind: 'wait',
    code: 'ATTEMPT_EXPIRED',
    keepsId: true,
  });
  expect(world.calls).toEqual([]);
});

it('a clock that differs from the server’s by an hour delays nothing', async () => {
  for (const hour of [3_600 * second, -3_600 * second]) {
    const world = new World();
    world.startedAt = Date.now() - hour;
    expect(await world.start(idOf('1.0'), { ageMs: hour })).toEqual({ kind: 'accepted' });
  }
});

it('an attempt scheduled in the future shows that the clocks differ: it counts as having waited as long as allowed', async () => {
  const world = new World();
  const ahead = { ageMs: -5 * second };
  expect(await world.start(idOf('1.0'), ahead)).toEqual({
    kind: 'wait',
    code: 'ATTEMPT_EXPIRED',
    keepsId: true,
  });
  world.startedAt = Date.now() + 5 * second;
  const began = Date.now();
  expect(await world.send(ahead, 20 * second)).toMatchObject({ outcome: 'applied' });
  expect(world.calls[0]?.leaveBy).toBeLessThanOrEqual(began + 6 * second);
  expect(await world.send(ahead, 14 * second, '2.0')).toEqual({
    outcome: 'held-back',
    code: 'ATTEMPT_EXPIRED',
    keepsId: true,
  });
});

it('the preparation of a request uses the time of the request', async () => {
  const world = new World();
  let now = Date.now();
  const clock = Date.now;
  try {
    Date.now = () => now;
    const scheduledAt = now - 14 * second;
    world.startedAt = now;
    world.describing = () => {
      now += 2 * second;
    };
    expect(await world.send({ ageMs: 14 * second }, 17 * second)).toMatchObject({ outcome: 'applied' });
    expect(world.calls[0]?.leaveBy).toBe(scheduledAt + 17 * second);
  } finally {
    Date.now = clock;
  }
});

it('a fresh activity sends no request to the server', async () => {
  const world = new World();
  await world.start(idOf('1.0'));
  expect(world.describes).toBe(0);
  const { until = 0, leaveBy = 0 } = world.calls[0] ?? {};
  expect(until - Date.now()).toBeLessThanOrEqual(11 * second);
  expect(leaveBy).toBeLessThan(until);
});

it('a slow photo store uses the time of the request, not that after the activity’s end', async () => {
  const world = new World();
  const photo = { hash: 'ab', type: 'image/png', size: 1 };
  let now = Date.now();
  const clock = Date.now;
  try {
    Date.now = () => now;
    const { dispatchCarImage } = commandActivities(
      world.platform,
      async () => {
        now += 3 * second;
        return new Uint8Array(1);
      },
      world.sending,
    );
    const began = now;
    const attempt = { reservationId: 17, idempotencyKey: 'key', body: { photo }, id: idOf('1.0') };
    expect(await world.run(dispatchCarImage, {}, attempt)).toEqual({ kind: 'accepted' });
    expect(world.calls[0]?.until).toBe(began + 11 * second);
  } finally {
    Date.now = clock;
  }
});

const obstacles: [code: string, begin: (world: World) => void, arrival?: Arrival][] = [
  ['ROLE_SUSPENDED', (world) => Object.assign(world, { isSuspended: true })],
  ['ATTEMPT_EXPIRED', () => {}, { ageMs: 3_600 * second }],
  ['ATTEMPT_NOT_RECORDED', ({ attempts }) => Object.assign(attempts, { isAway: true }), { runId: 'reset' }],
  ['RATE_LIMITED', (world) => Object.assign(world, { refusal: 'RATE_LIMITED' })],
  ['UNREACHABLE', (world) => Object.assign(world, { refusal: 'UNREACHABLE' })],
  ['UNAUTHORIZED', (world) => Object.assign(world, { refusal: 'UNAUTHORIZED' })],
  ['FORBIDDEN', (world) => Object.assign(world, { refusal: 'FORBIDDEN' })],
];

it.each(obstacles)(
  'L24: an attempt that ended with %s keeps its id where it was not recorded, and there alone',
  async (code, begin, arrival = {}) => {
    const world = new World();
    begin(world);
    const ended = await world.start(idOf('1.0'), arrival);
    expect(ended).toMatchObject({ code });
    expect('keepsId' in ended).toBe(world.attempts.rows.size === 0);
  },
);

it('L24: an attempt that expired while it was recorded does not keep its id: the next one would count as sent', async () => {
  const world = new World();
  const clock = Date.now;
  try {
    world.attempts.recording = () => {
      const late = clock() + 9 * second;
      Date.now = () => late;
    };
    expect(await world.start(idOf('1.0'))).toEqual({ kind: 'wait', code: 'ATTEMPT_EXPIRED' });
  } finally {
    Date.now = clock;
  }
  expect([world.calls.length, world.attempts.rows.size]).toEqual([0, 1]);
});
