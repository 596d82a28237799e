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
}

/** A product that starts or runs. */
export interface StartedProduct {
  /** Rejects where it does not start, or is stopped before it runs. */
  running: Promise<Product>;
  /** At any time: one that is still starting would use the data folder after its removal. */
  stop(): Promise<void>;
}

/** The running product. Scenarios with the same key share it, because a start takes a second. */
export class CurrentProduct {
  private playing: { key: string; started: Promise<StartedProduct> } | undefined;
  private hasEnded = false;

  /** @throws Error where it does not start: the next scenario tries again */
  async with(key: string, start: () => StartedProduct): Promise<Product> {
    if (this.playing?.key !== key)
      this.playing = { key, started: this.replace(this.playing?.started, start) };
    const { started } = this.playing;
    try {
      return await (await started).running;
    } catch (error) {
      if (this.playing?.started === started) await this.stop();
      throw error;
    }
  }

  /** The next scenario starts another one. */
  async stop(): Promise<void> {
    const { started } = this.playing ?? {};
    this.playing = undefined;
    await stopped(started);
  }

  /** None starts any more. */
  async end(): Promise<void> {
    this.hasEnded = true;
    await this.stop();
  }

  private async replace(
    before: Promise<StartedProduct> | undefined,
    start: () => StartedProduct,
  ): Promise<StartedProduct> {
    await stopped(before);
    if (this.hasEnded) throw new Error('the product is not started, because the rehearsal ends');
    return start();
  }
}

async function stopped(started: Promise<StartedProduct> | undefined): Promise<void> {
  const product = await started?.catch(() => undefined);
  await product?.stop();
}
