import type { OneActive } from '../../intake/one-active.js';
import { startApiPart } from '../../run/api-part.js';
import type { Setting } from '../../run/setting.js';
import { Stack } from '../../run/stack.js';
import { startWorkerPart } from '../../run/worker-part.js';
import type { Stage } from './stage.js';

/** The product under rehearsal: receiver, inbox, relay, worker and status API, as `handover up` starts them. */
export interface Product {
  setting: Setting;
  /** Of the status API and the receiver. */
  url: string;
  /** False while the worker is stopped. */
  isWorking(): boolean;
  startWorker(): Promise<void>;
  stopWorker(): Promise<void>;
  stop(): Promise<void>;
}

/** A hung call shows after this long, in real time: nobody waits ten seconds in a rehearsal, and a busy machine may take a second. */
const callTimeoutMs = 3_000;
const graceMs = 500;

/** The product of one scenario after the other: starting it anew takes a second. */
export class CurrentProduct {
  private playing: { key: string; product: Product } | undefined;

  async with(key: string, start: () => Promise<Product>): Promise<Product> {
    if (this.playing?.key !== key) {
      await this.stop();
      this.playing = { key, product: await start() };
    }
    return this.playing.product;
  }

  async stop(): Promise<void> {
    await this.playing?.product.stop();
    this.playing = undefined;
  }
}

/** @param comesAndGoes the worker is stopped on the way */
export function productFor(stage: Stage, setting: Setting, comesAndGoes: boolean): Promise<Product> {
  const key = JSON.stringify([setting.policy, comesAndGoes]);
  return stage.product.with(key, () => startProduct(stage, setting, comesAndGoes));
}

async function startProduct(stage: Stage, setting: Setting, comesAndGoes: boolean): Promise<Product> {
  const { engine, database, clock, sandbox, options } = stage;
  const { temporal } = engine;
  const api = new Stack(setting.log);
  let worker: { stack: Stack; relay: OneActive } | undefined;
  const url = await startApiPart(setting, api, {
    temporal,
    db: database.db,
    lockHolder: database.lockHolder,
    session: database.session,
    platformUrl: sandbox.url,
    clock: clock.now,
    onStored: () => worker?.relay.wake(),
  });
  const product: Product = {
    setting,
    url,
    isWorking: () => worker !== undefined,
    async startWorker() {
      const stack = new Stack(setting.log);
      const staged = {
        clock: clock.now,
        timeoutMs: callTimeoutMs,
        graceMs,
        // the test server keeps a task for the worker that had the workflow cached, also where that one is gone
        ...(comesAndGoes && { cached: 0 }),
        ...(options.bundle && { bundle: options.bundle }),
      };
      const { relay } = await startWorkerPart(setting, stack, {
        temporal,
        database,
        platformUrl: sandbox.url,
        staged,
      });
      worker = { stack, relay };
    },
    async stopWorker() {
      const { stack } = worker ?? {};
      worker = undefined;
      await stack?.stop();
    },
    async stop() {
      await product.stopWorker();
      await api.stop();
    },
  };
  await product.startWorker();
  return product;
}
