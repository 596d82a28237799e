import type { Setting } from '../../../app/startup/setting.js';

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

/** The running product. Scenarios with the same key share it, because a start takes a second. */
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
