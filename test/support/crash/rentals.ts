import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually.js';
import type { TestSandbox } from '../sandbox.js';
import { type SandboxClient, sandboxClient } from '../sandbox-client.js';
import { token } from './sites.js';

const override = { override: true, reason: 'done on the web site' };
/** Longer than all kills together take: what one of them cut off may wait for a timeout of the engine that the next cuts off again. */
const withinMs = 900_000;

/** Whole rentals on a sandbox that keeps running: staff send actions to the status API while the product is killed. */
export class Rentals {
  readonly ids: number[] = [];
  /** The last answer to each action. */
  private readonly answers = new Map<string, string>();
  private readonly platform: SandboxClient;

  constructor(
    sandbox: TestSandbox,
    private readonly address: string,
  ) {
    this.platform = sandboxClient(sandbox);
  }

  /** Booked, handed over, driven, returned and recalled. */
  async play(): Promise<void> {
    const id = await this.platform.booked();
    this.ids.push(id);
    await this.sendUntilApplied(id, 'dispatch/start');
    await this.sendUntilApplied(id, 'dispatch/complete');
    await this.customer(id, 'start-use');
    await this.customer(id, 'return');
    await this.sendUntilApplied(id, 'recall/complete');
  }

  truth = (id: number) => this.platform.truth(id);

  /** Commands of this reservation that moved it, by the platform's journal. */
  async moved(id: number): Promise<string[]> {
    const path = `/journal?kind=request&reservationId=${id}&limit=500`;
    const { body } = await this.platform.control('GET', path);
    const requests = body.items as { operation: string; effect: string }[];
    return requests
      .filter(({ operation, effect }) => effect === 'applied' && /Start$|Complete$/.test(operation))
      .map(({ operation }) => operation);
  }

  /** Sends the action with one key until it is applied. */
  private async sendUntilApplied(id: number, action: string): Promise<void> {
    const key = `${id}-${action.replace('/', '.')}`;
    await eventually(`${key} is applied`, () => this.isApplied(id, action, key), withinMs).catch((error) => {
      throw new Error(`${error.message}; the last answer: ${this.answers.get(key)}`);
    });
  }

  private async isApplied(id: number, action: string, key: string): Promise<boolean> {
    let status = 0;
    try {
      const response = await fetch(`${this.address}/api/reservations/${id}/${action}`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(override),
        signal: AbortSignal.timeout(15_000),
      });
      status = response.status;
      this.answers.set(key, `${status} ${await response.text()}`);
    } catch (error) {
      this.answers.set(key, String(error));
    }
    // what it was asked for is on its way, or is not due yet: it comes back
    if (status < 500 && ![0, 200, 202, 404, 409].includes(status)) throw new Error(this.answers.get(key));
    if (status === 200) return true;
    await sleep(150);
    return false;
  }

  private async customer(id: number, move: 'start-use' | 'return'): Promise<void> {
    const { status, body } = await this.platform.customer(id, move);
    if (status !== 200) throw new Error(`${move} answered ${status} ${JSON.stringify(body)}`);
  }
}
