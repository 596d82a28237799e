import type { DataKey } from './sealing/data-keys.js';

/** Of each scope at most one load at a time. One that hangs stays under way: another would wait behind it. */
export class LoadsUnderWay {
  private readonly loads = new Map<string, Promise<DataKey>>();

  join(scope: string, load: () => Promise<DataKey>): Promise<DataKey> {
    const running = this.loads.get(scope);
    if (running !== undefined) return running;
    const started = load().finally(() => this.loads.delete(scope));
    this.loads.set(scope, started);
    return started;
  }
}
