import { randomBytes } from 'node:crypto';
import { type DataKey, type DataKeys, destroyed, toDataKey } from '../../src/store/sealing/data-keys.js';

/** Data keys in memory. `erase` leaves of each payload what it is given, by its nonce in hex. */
export class MemoryDataKeys implements DataKeys {
  readonly areWritten = true;
  readonly keys = new Map<string, DataKey>();
  private readonly remains = new Map<string, Map<string, Uint8Array>>();

  forWriting(scope: string) {
    const key = this.keys.get(scope) ?? toDataKey(randomBytes(32));
    this.keys.set(scope, key);
    return key;
  }

  forReading(scope: string) {
    const key = this.keys.get(scope);
    if (key === undefined) throw new Error(`no data key of ${scope}`);
    return key;
  }

  async remainsOf(scope: string, nonce: Uint8Array) {
    return this.remains.get(scope)?.get(Buffer.from(nonce).toString('hex'));
  }

  erase(scope: string, remains: Map<string, Uint8Array>): void {
    this.keys.set(scope, destroyed);
    this.remains.set(scope, remains);
  }
}
