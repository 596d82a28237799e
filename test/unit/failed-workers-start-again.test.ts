import { setTimeout } from 'node:timers/promises';
import type { NativeConnection, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
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
  failures: Error[] = [];
  readonly workers: SupervisedWorkers;
  constructor(connected: () => Promise<void> = async () => {}, replacedAfterMs = 0) {
    this.workers = new SupervisedWorkers({
      connected,
      log: pino({ level: 'silent' }),
      retry: { firstMs: 1, longestMs: 5 },
      replacedAfterMs,
      connect: async () => {
        const failure = this.failures.shift();
        if (failure !== undefined) throw failure;
        this.opened += 1;
        return { close: async () => void this.closed++ } as unknown as NativeConnection;
      },
      create: async () => {
        const pair = { worker: new FakeWorker(), 'scan worker': new FakeWorker() };
        this.pairs.push(pair);
        const groupOf = (worker: FakeWorker) => new WorkerGroup([worker as unknown as Worker]);
        return { worker: groupOf(pair.worker), 'scan worker': groupOf(pair['scan worker']) };
      },
    });
    this.workers.start();
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

it('workers that have lost tasks are replaced: the new ones run while the old ones end, and a stop waits for both', async () => {
  setup = new Setup();
  await setup.workers.running();
  const [old] = setup.pairs;
  if (old === undefined) expect.fail('no workers');
  old.worker.hangs = true;
  setup.workers.replace();
  setup.workers.replace();
  await eventually('a second pair runs', () => setup.pairs[1]?.['scan worker'].state === 'RUNNING');
  expect(setup.workers.polling()).toEqual({ worker: true, 'scan worker': true });
  expect([old.worker.state, old['scan worker'].state]).toEqual(['STOPPED', 'STOPPED']);
  expect([setup.opened, setup.closed]).toEqual([2, 0]);
  let isStopped = false;
  const stopped = setup.workers.stop().then(() => {
    isStopped = true;
  });
  await eventually('the second connection is closed', () => setup.closed === 1);
  expect(isStopped).toBe(false);
  // the SDK gives up on it after its time
  old.worker.die();
  await stopped;
  expect([setup.pairs.length, setup.closed]).toEqual([2, 2]);
});

it('workers that lose a task soon after their start run on until they may be replaced', async () => {
  setup = new Setup(undefined, 3_600_000);
  await setup.workers.running();
  setup.workers.replace();
  await setTimeout(50);
  expect([setup.pairs.length, setup.workers.polling().worker]).toEqual([1, true]);
});
