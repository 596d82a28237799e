import { setTimeout as sleep } from 'node:timers/promises';
import { signedHeaders } from '../callbacks.js';
import type { Delivery } from './deliveries.js';

/** A platform waits so long for an acknowledgement (G33). */
const waitsMs = 5_000;
const comesBackMs = 100;

/**
 * Sends callbacks until each is acknowledged: those of one reservation one after the other, of many side by side. Those that
 * take turns come no faster than so many a second.
 */
export class Sender {
  /** How often each was acknowledged, by its id. */
  readonly acknowledged = new Map<string, number>();
  /** Attempts that were not acknowledged. */
  failed = 0;
  /** Why the first of them were not. */
  readonly failures: string[] = [];
  /** Acknowledgements so far. */
  count = 0;
  /** The longest time in which callbacks were sent, or came back after a failure, and none was acknowledged. Milliseconds. */
  longestOutageMs = 0;
  /** Callbacks that were sent and are not acknowledged. */
  private open = 0;
  /** Since when that is so and none was acknowledged; null: none is open, or they pause. */
  private waitsSince: number | null = null;
  /** With so many acknowledgements it pauses. */
  pauseAt = Infinity;
  private readonly lanes = new Map<string, Promise<void>>();
  private stopped = false;

  constructor(
    private readonly target: { address: string; secret: string },
    /** Milliseconds of a monotonic clock. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes turns with others of its lane; those of one reservation go in this order. */
  send(deliveries: readonly Delivery[], { lanes, perSecond }: { lanes: number; perSecond: number }): void {
    for (const delivery of deliveries) {
      void this.queue(`${delivery.reservationId % lanes}`, async () => {
        await sleep((1000 * lanes) / perSecond);
        await this.deliver(delivery);
      });
    }
  }

  /** Waits for nothing but what came before of the same reservation. Resolves when it is acknowledged. */
  sendAtOnce(delivery: Delivery): Promise<void> {
    return this.queue(`reservation ${delivery.reservationId}`, () => this.deliver(delivery));
  }

  private queue(lane: string, deliver: () => Promise<void>): Promise<void> {
    const before = this.lanes.get(lane) ?? Promise.resolve();
    const delivered = before.then(deliver);
    this.lanes.set(lane, delivered);
    return delivered;
  }

  /** Resolves when everything given so far is acknowledged. */
  async done(): Promise<void> {
    await Promise.all(this.lanes.values());
  }

  stop(): void {
    this.stopped = true;
  }

  private async deliver(delivery: Delivery): Promise<void> {
    this.open++;
    while (!this.stopped) {
      if (this.count >= this.pauseAt) {
        this.waitsSince = null;
        await sleep(20);
        continue;
      }
      this.waitsSince ??= this.now();
      if (await this.post(delivery)) {
        this.accepted(delivery);
        return;
      }
      this.failed++;
      await sleep(comesBackMs);
    }
  }

  private accepted({ webhookId }: Delivery): void {
    this.count++;
    this.open--;
    this.acknowledged.set(webhookId, (this.acknowledged.get(webhookId) ?? 0) + 1);
    const now = this.now();
    this.longestOutageMs = Math.max(this.longestOutageMs, now - (this.waitsSince ?? now));
    this.waitsSince = this.open > 0 ? now : null;
  }

  private async post({ webhookId, path, body }: Delivery): Promise<boolean> {
    const { address, secret } = this.target;
    try {
      const response = await fetch(address + path, {
        method: 'POST',
        body,
        headers: signedHeaders(body, { id: webhookId, secret }),
        signal: AbortSignal.timeout(waitsMs),
      });
      const answer = await response.text();
      if (!response.ok) this.note(`${response.status} ${answer}`);
      return response.ok;
    } catch (error) {
      this.note(String((error as Error).cause ?? error));
      return false;
    }
  }

  private note(failure: string): void {
    if (this.failures.length < 20) this.failures.push(failure);
  }
}
