import { setTimeout } from 'node:timers/promises';
import type { NativeConnection, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import type { Backoff } from '../../src/domain/shared/backoff.js';
import { SupervisedWorkers } from '../../src/temporal/worker/supervised-workers.js';
import { WorkerGroup } from '../../src/temporal/worker/worker-group.js';
import { eventually } from '../support/eventually.js';

/** A worker that runs until it is shut down, or dies. */
class FakeWorker {
  state = 'INITIALIZED';
  private end = { resolve: () => {}, reject: (_: Error) => {} };
  /** It has lost tasks: a shutdown does not end it. */
  hangs = false;
  run(): Promise<void> {
    this.state = 'RUNNING';
    return new Promise((resolve, reject) => {
      this.end = { resolve, reject };
    });
  }
  shutdown(): void {
    this.state = 'STOPPED';
    if (!this.hangs) this.end.resolve();
  }
  die(): void {
    this.state = 'FAILED';
    this.end.reject(new Error('namespace not found'));
  }
  getState() {
    return this.state;
  }
  getStatus() {
    return { runState: this.state, workflowPollerState: 'POLLING', activityPollerState: 'POLLING' };
  }
}

class Setup {
  /** Each pair that was created. */
  readonly pairs: Record<'worker' | 'scan worker', FakeWorker>[] = [];
  opened = 0;
  closed = 0;
  /** What the next connections, and the next creations of workers, fail with. */
  failures: Error[] = [];
  createFailures: Error[] = [];
  /** Awaited before workers are created. */
  held: Promise<void> = Promise.resolve();
  readonly workers: SupervisedWorkers;
  constructor(
    connected: () => Promise<void> = async () => {},
    replacement: Backoff = { firstMs: 0, longestMs: 0 },
  ) {
    this.workers = new SupervisedWorkers({
      connected,
      log: pino({ level: 'silent' }),
      retry: { firstMs: 1, longestMs: 5 },
      replacement,
      connect: async () => {
        const failure = this.failures.shift();
        if (failure !== undefined) throw failure;
        this.opened += 1;
        return { close: async () => void this.closed++ } as unknown as NativeConnection;
      },
      create: async () => {
        await this.held;
        const failure = this.createFailures.shift();
        if (failure !== undefined) throw failure;
        const pair = { worker: new FakeWorker(), 'scan worker': new FakeWorker() };
        this.pairs.push(pair);
        const groupOf = (worker: FakeWorker) => new WorkerGroup([worker as unknown as Worker]);
        return { worker: groupOf(pair.worker), 'scan worker': groupOf(pair['scan worker']) };
      },
    });
    this.workers.start();
  }

  /** The pair of this number, from 0, once it runs. */
  async pair(index: number): Promise<Record<'worker' | 'scan worker', FakeWorker>> {
    await eventually(
      `pair ${index} runs`,
      () => this.pairs[index]?.['scan worker'].state === 'RUNNING' && this.workers.polling().worker,
    );
    return this.pairs[index] ?? expect.fail('no such pair');
  }
}

let setup: Setup;
afterEach(() => setup.workers.stop());

it('the workers start when Temporal is available, also where the first connections fail', async () => {
  let connect = () => {};
  setup = new Setup(() => new Promise((resolve) => (connect = resolve)));
  setup.failures = [new Error('transport error'), new Error('transport error')];
  expect([setup.workers.polling(), setup.pairs]).toEqual([{}, []]);
  await eventually('they run', () => {
    connect();
    return setup.pairs.length === 1;
  });
  await setup.workers.running();
  expect(setup.workers.polling()).toEqual({ worker: true, 'scan worker': true });
});

it.each(['worker', 'scan worker'] as const)(
  'a %s that dies ends the other, and both begin again on a new connection',
  async (name) => {
    setup = new Setup();
    await setup.workers.running();
    setup.pairs[0]?.[name].die();
    await eventually('a second pair runs', () => setup.pairs[1]?.['scan worker'].state === 'RUNNING');
    expect(
      Object.values(setup.pairs[0] ?? {})
        .map(({ state }) => state)
        .toSorted(),
    ).toEqual(['FAILED', 'STOPPED']);
    expect([setup.opened, setup.closed]).toEqual([2, 1]);
  },
);

it('a stop ends both and closes the connection, and starts nothing again', async () => {
  setup = new Setup();
  await setup.workers.running();
  await setup.workers.stop();
  expect(Object.values(setup.pairs[0] ?? {}).map(({ state }) => state)).toEqual(['STOPPED', 'STOPPED']);
  expect([setup.pairs.length, setup.closed]).toEqual([1, 1]);
  expect(setup.workers.polling()).toEqual({ worker: false, 'scan worker': false });
});

it('a stop during the wait for Temporal ends at once, and notifies the callers that wait for the workers', async () => {
  setup = new Setup(() => new Promise(() => {}));
  const refused = expect(setup.workers.running()).rejects.toThrow('stopped before the workers ran');
  await setup.workers.stop();
  await refused;
});

describe('workers that have lost tasks', () => {
  it('are replaced: the new ones run before the old ones end, and a stop waits for both', async () => {
    setup = new Setup();
    const old = await setup.pair(0);
    old.worker.hangs = true;
    setup.workers.replace('lossy');
    setup.workers.replace('lossy');
    await setup.pair(1);
    expect(setup.workers.polling()).toEqual({ worker: true, 'scan worker': true });
    await eventually('the old ones are shut down', () => old['scan worker'].state === 'STOPPED');
    expect([old.worker.state, setup.opened, setup.closed]).toEqual(['STOPPED', 2, 0]);
    let isStopped = false;
    const stopped = setup.workers.stop().then(() => {
      isStopped = true;
    });
    await eventually('the second connection is closed', () => setup.closed === 1);
    expect(isStopped).toBe(false);
    // the SDK gives up on it after its time
    old.worker.die();
    await stopped;
    expect([setup.pairs.length, setup.closed, setup.workers.abandoned]).toEqual([2, 2, 1]);
  });

  it('run on while no new ones can begin, neither their connection nor themselves, and are replaced then', async () => {
    setup = new Setup();
    const old = await setup.pair(0);
    let retry = () => {};
    setup.held = new Promise((resolve) => (retry = resolve));
    setup.failures = [new Error('transport error')];
    setup.createFailures = [new Error('PERMISSION_DENIED')];
    setup.workers.replace('stalled');
    await eventually('the second connection after the failed one', () => setup.opened === 2);
    expect([old.worker.state, setup.pairs.length]).toEqual(['RUNNING', 1]);
    retry();
    await setup.pair(1);
    expect([setup.opened, setup.workers.abandoned]).toEqual([3, 0]);
    await eventually(
      'the connection that served nothing and the old one are closed',
      () => setup.closed === 2,
    );
  });

  it('that die while no new ones can begin count as failed, and all begin again', async () => {
    setup = new Setup(undefined, { firstMs: 3_600_000, longestMs: 3_600_000 });
    const old = await setup.pair(0);
    setup.failures = [new Error('transport error')];
    setup.workers.replace('stalled');
    await eventually('the connection has failed', () => setup.failures.length === 0);
    old.worker.die();
    await setup.pair(1);
    expect([old['scan worker'].state, setup.closed]).toEqual(['STOPPED', 1]);
  });

  it('whose loss is noticed while they end are replaced once more: it may be of the new ones', async () => {
    setup = new Setup();
    const old = await setup.pair(0);
    old.worker.hangs = true;
    setup.workers.replace('lossy');
    await setup.pair(1);
    setup.workers.replace('lossy');
    await setup.pair(2);
    old.worker.die();
    await eventually('the first two connections are closed', () => setup.closed === 2);
    expect([setup.pairs.length, setup.workers.abandoned]).toEqual([3, 1]);
  });

  it('are replaced once where the loss is noticed again while the new ones are created', async () => {
    setup = new Setup();
    await setup.pair(0);
    let create = () => {};
    setup.held = new Promise((resolve) => (create = resolve));
    setup.workers.replace('lossy');
    await eventually('the second connection', () => setup.opened === 2);
    setup.workers.replace('lossy');
    setup.workers.replace('stalled');
    create();
    await setup.pair(1);
    await setTimeout(50);
    expect(setup.pairs).toHaveLength(2);
  });

  it('soon after their start run on until they may be replaced; stalled ones are replaced at once', async () => {
    setup = new Setup(undefined, { firstMs: 3_600_000, longestMs: 3_600_000 });
    await setup.pair(0);
    setup.workers.replace('lossy');
    await setTimeout(50);
    expect(setup.pairs).toHaveLength(1);
    setup.workers.replace('stalled');
    await setup.pair(1);
  });

  it('again and again are replaced after a time that grows', async () => {
    setup = new Setup(undefined, { firstMs: 1, longestMs: 3_600_000 });
    const ages: number[] = [];
    for (let index = 0; index < 8; index++) {
      await setup.pair(index);
      const began = performance.now();
      setup.workers.replace('lossy');
      await eventually('the next ones', () => setup.pairs.length === index + 2);
      ages.push(performance.now() - began);
    }
    // the eighth runs for at least 64 ms, less what its start was observed late
    expect(ages.at(-1)).toBeGreaterThan(30);
  });

  it('in a moment when there are none are replaced by nothing: before the first begin, and after a stop', async () => {
    let connect = () => {};
    setup = new Setup(() => new Promise((resolve) => (connect = resolve)));
    setup.workers.replace('stalled');
    await eventually('they run', () => {
      connect();
      return setup.pairs.length === 1;
    });
    await setup.pair(0);
    await setup.workers.stop();
    setup.workers.replace('stalled');
    await setTimeout(50);
    expect([setup.pairs.length, setup.closed]).toEqual([1, 1]);
  });

  it('and are stopped while the new ones are created: both end, and each connection is closed', async () => {
    setup = new Setup();
    await setup.pair(0);
    let create = () => {};
    setup.held = new Promise((resolve) => (create = resolve));
    setup.workers.replace('stalled');
    await eventually('the second connection', () => setup.opened === 2);
    const stopped = setup.workers.stop();
    create();
    await stopped;
    expect([setup.opened, setup.closed, setup.workers.polling().worker]).toEqual([2, 2, false]);
  });
});
