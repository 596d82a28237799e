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
  private playing: { key: string; starting: Promise<Product> } | undefined;
  private isStopped = false;

  /** @throws Error after a stop */
  async with(key: string, start: () => Promise<Product>): Promise<Product> {
    if (this.isStopped) throw new Error('the product is not started, because the rehearsal stops');
    const playing =
      this.playing?.key === key
        ? this.playing
        : { key, starting: stopped(this.playing?.starting).then(start) };
    this.playing = playing;
    try {
      return await playing.starting;
    } catch (error) {
      // the next scenario tries again
      if (this.playing === playing) this.playing = undefined;
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    const { starting } = this.playing ?? {};
    this.playing = undefined;
    await stopped(starting);
  }
}

/** Also one that is still starting: it would use the data folder after its removal. */
async function stopped(starting: Promise<Product> | undefined): Promise<void> {
  const product = await starting?.catch(() => undefined);
  await product?.stop();
}
