import { startApiPart } from '../../../app/parts/api.js';
import { startWorkerPart } from '../../../app/parts/worker.js';
import type { Setting } from '../../../app/startup/setting.js';
import { Stack } from '../../../app/startup/stack.js';
import type { ShardOwner } from '../../../inbox/relay/shard-owner.js';
import type { Product, StartedProduct } from './current-product.js';
import type { Stage } from './stage.js';

/** Time limit of a call in real time: ten seconds are too long for a rehearsal, and a busy machine may need one. */
const callTimeoutMs = 3_000;
const graceMs = 500;

/** @param comesAndGoes the scenario stops the worker */
export function productFor(stage: Stage, setting: Setting, comesAndGoes: boolean): Promise<Product> {
  const key = JSON.stringify([setting.policy, setting.config.keyProbeMs, comesAndGoes]);
  return stage.product.with(key, () => startProduct(stage, setting, comesAndGoes));
}

function startProduct(stage: Stage, setting: Setting, comesAndGoes: boolean): StartedProduct {
  const { engine, database, clock, sandbox, options } = stage;
  const { temporal } = engine;
  const api = new Stack(setting.log);
  let worker: { stack: Stack; relay?: ShardOwner } | undefined;
  let hasStopped = false;

  async function startWorker(): Promise<void> {
    if (hasStopped) throw new Error('the worker is not started, because its product stops');
    const starting: { stack: Stack; relay?: ShardOwner } = { stack: new Stack(setting.log) };
    worker = starting;
    const staged = {
      clock: clock.now,
      timeoutMs: callTimeoutMs,
      graceMs,
      // the test server reserves tasks for the worker that cached the workflow, even after that worker has stopped
      ...(comesAndGoes && { cached: 0 }),
      ...(options.bundle && { bundle: options.bundle }),
    };
    const deps = { temporal, database, platformUrl: sandbox.url, staged };
    starting.relay = (await startWorkerPart(setting, starting.stack, deps)).relay;
  }

  async function stopWorker(): Promise<void> {
    const { stack } = worker ?? {};
    worker = undefined;
    await stack?.stop();
  }

  async function start(): Promise<Product> {
    const wakeRelay = () => worker?.relay?.wake();
    const url = await startApiPart(setting, api, {
      temporal,
      database,
      platformUrl: sandbox.url,
      clock: clock.now,
      onStored: wakeRelay,
      wakeRelay,
    });
    await startWorker();
    return { setting, url, isWorking: () => worker?.relay !== undefined, startWorker, stopWorker };
  }

  const running = start();
  return {
    running,
    async stop() {
      hasStopped = true;
      await stopWorker();
      await api.stop();
      await running.catch(() => {});
    },
  };
}
