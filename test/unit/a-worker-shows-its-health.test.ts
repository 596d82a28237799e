import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOperationsApp } from '../../src/api/operations/app.js';
import { createMetrics } from '../../src/app/metrics/process.js';
import { WorkerHealth } from '../../src/app/parts/worker-health.js';
import type { Duty } from '../../src/inbox/relay/duty.js';
import { ShardOwner } from '../../src/inbox/relay/shard-owner.js';
import type { Lease } from '../../src/store/connection/lease.js';
import type { Session } from '../../src/store/connection/session.js';

const log = pino({ level: 'silent' });
const minute = 60_000;
const all = { worker: true, 'activity worker': true, 'scan worker': true };

describe('the health of a worker', () => {
  let now = 0;
  let isConnected = true;
  let polling: Record<string, boolean> = {};
  let stuckMs = 0;
  let isStopping = false;
  let abandoned = 0;
  let health: WorkerHealth;
  beforeEach(() => {
    [now, isConnected, polling, stuckMs, isStopping, abandoned] = [0, true, {}, 0, false, 0];
    health = new WorkerHealth(
      () => isConnected,
      () => now,
    );
  });
  const runs = () =>
    health.attach({
      workers: {
        polling: () => polling,
        get abandoned() {
          return abandoned;
        },
      },
      relay: { stuckMs: () => stuckMs },
    });

  /** As an orchestrator sees it. */
  async function ask(path: string): Promise<{ status: number; failing: string[] }> {
    const app = createOperationsApp({
      log,
      metrics: createMetrics(),
      liveness: health.liveness(),
      probes: { ...health.readiness(), database: async () => {} },
      isStopping: () => isStopping,
    });
    const { statusCode: status, ...response } = await app.inject(path);
    const { checks = {} } = response.json() as { checks?: Record<string, string> };
    await app.close();
    return { status, failing: Object.keys(checks).filter((name) => checks[name] !== 'ok') };
  }

  it('while it waits for Temporal: live, not ready', async () => {
    isConnected = false;
    runs();
    for (now = 0; now <= 60 * minute; now += 30 * minute) expect((await ask('/healthz')).status).toBe(200);
    expect(await ask('/readyz')).toEqual({
      status: 503,
      failing: ['temporal', 'worker', 'activity worker', 'scan worker'],
    });
  });

  it('while each part works: live and ready', async () => {
    polling = { ...all };
    runs();
    expect(await ask('/healthz')).toEqual({ status: 200, failing: [] });
    expect(await ask('/readyz')).toEqual({ status: 200, failing: [] });
  });

  it.each(['worker', 'activity worker', 'scan worker'])(
    'a %s that does not poll beside its Temporal: not ready at once, not live after a minute',
    async (name) => {
      polling = { ...all };
      runs();
      polling[name] = false;
      expect(await ask('/readyz')).toEqual({ status: 503, failing: [name] });
      expect((await ask('/healthz')).status).toBe(200);
      now = minute - 1;
      expect((await ask('/healthz')).status).toBe(200);
      now = minute;
      expect(await ask('/healthz')).toEqual({ status: 503, failing: [name] });
      polling[name] = true;
      expect((await ask('/healthz')).status).toBe(200);
      polling[name] = false;
      expect((await ask('/healthz')).status).toBe(200);
    },
  );

  it('a worker that failed before Temporal became unavailable has a whole minute again once it is back', async () => {
    runs();
    expect((await ask('/healthz')).status).toBe(200);
    isConnected = false;
    now = 2 * minute;
    expect((await ask('/healthz')).status).toBe(200);
    isConnected = true;
    expect((await ask('/healthz')).status).toBe(200);
    now = 3 * minute;
    expect((await ask('/healthz')).status).toBe(503);
  });

  it('a worker whose replaced ones never finished, ten times: ready, and not live, because only a restart frees their memory', async () => {
    polling = { ...all };
    runs();
    abandoned = 9;
    expect((await ask('/healthz')).status).toBe(200);
    abandoned = 10;
    expect(await ask('/healthz')).toEqual({ status: 503, failing: ['worker'] });
    expect((await ask('/readyz')).status).toBe(200);
  });

  it('a relay that hangs: neither live nor ready', async () => {
    polling = { ...all };
    runs();
    stuckMs = 2 * minute;
    expect(await ask('/healthz')).toEqual({ status: 503, failing: ['relay'] });
    expect(await ask('/readyz')).toEqual({ status: 503, failing: ['relay'] });
  });

  it('before its parts begin, and while it stops: live, not ready', async () => {
    expect((await ask('/healthz')).status).toBe(200);
    expect((await ask('/readyz')).failing).toContain('relay');
    polling = { ...all };
    runs();
    isStopping = true;
    expect((await ask('/healthz')).status).toBe(200);
    expect(await ask('/readyz')).toEqual({ status: 503, failing: ['process'] });
  });
});

it("the SDK's metrics are shown with our own; another path is 404 with a code", async () => {
  const app = createOperationsApp({
    log,
    metrics: createMetrics(),
    probes: { database: async () => {} },
    sdkMetrics: async () => 'temporal_num_pollers{poller_type="activity_task"} 1\n',
  });
  const { body } = await app.inject('/metrics');
  expect(body).toMatch(/^process_cpu_seconds_total \S+$/m);
  expect(body).toMatch(/^temporal_num_pollers\{.*\} 1$/m);
  expect((await app.inject('/api/reservations')).json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
  await app.close();
});

describe('the relay', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const session = (isFree: boolean): Session =>
    ({
      listen: async () => {},
      readLeases: async () => [],
      claimLeases: async ({ names, most }: { names: string[]; most: number }) =>
        isFree ? names.slice(0, most).map((name) => ({ name, epoch: 1, remainingMs: () => 1_000 })) : [],
      renewLeases: async () => [],
      releaseLeases: async () => {},
      close: async () => {},
      lost: new Promise<void>(() => {}),
    }) as unknown as Session;
  const noRelay = { start: () => {}, stop: async () => {}, drained: async () => {} };
  const relayWith = (open: () => Promise<Session>, duties: (held: Lease) => Duty[] = () => []) => {
    const relay = new ShardOwner({ session: open, relay: () => noRelay, duties, log });
    relay.start();
    return relay;
  };

  it.each([
    ['stands by', async () => session(false)],
    ['has shards', async () => session(true)],
    ['has no database', async () => Promise.reject(new Error('ECONNREFUSED'))],
  ])('that %s is live, for as long as it does', async (_, open) => {
    const relay = relayWith(open);
    await vi.advanceTimersByTimeAsync(20 * minute);
    expect(relay.stuckMs()).toBeLessThan(10_000);
    const stopped = relay.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    await stopped;
  });

  it('that waits without an end is reported as not live', async () => {
    const relay = relayWith(() => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(3 * minute);
    expect(relay.stuckMs()).toBeGreaterThanOrEqual(3 * minute);
  });

  it('whose duty hangs is reported as not live', async () => {
    const turnedAt = performance.now();
    const hanging = { start: () => {}, stop: async () => {}, turnedAt };
    const relay = relayWith(
      async () => session(true),
      () => [hanging],
    );
    await vi.advanceTimersByTimeAsync(3 * minute);
    expect(relay.stuckMs()).toBeGreaterThanOrEqual(3 * minute);
    const stopped = relay.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    await stopped;
  });
});
