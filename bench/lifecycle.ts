import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { type ActionPath, dispatchActions, recallActions } from '../src/tools/player/actions.js';
import { createSender, mustSucceed, RefusedRequestError, type Send } from '../src/tools/player/http.js';
import { peopleNamed, pixel } from '../src/tools/player/people.js';
import { Player } from '../src/tools/player/player.js';
import { access, type Target } from './target.js';

const pollEveryMs = 150;
const retryPeriodMs = 30_000;
const hour = 3_600_000;
/** Answers 503 (no result in time) and 202 (no outcome yet): the write is sent again with its key. */
const busy = 503;
const underWay = 202;

const people = {
  ...peopleNamed('Bench'),
  /** Photos differ, because the store has one file per content hash. Bytes after a PNG's end are ignored. */
  photo: () => new Blob([pixel, randomUUID()], { type: 'image/png' }),
};

export interface Played {
  reservationId: number;
  bookingId: string;
}

/** What one has. */
export const ofLifecycle = { callbacks: 12, actions: dispatchActions.length + recallActions.length };

/** Plays whole lifecycles against one target by HTTP, as channel, staff and customer. */
export class Lifecycles {
  private readonly pools: Pool[];
  private readonly player: Player;
  private actionMs: number[] = [];
  private slot = 0;
  private sentAgain = 0;

  constructor({ apiUrl, sandboxUrl }: Target, connections: number) {
    const [api, sandbox] = [apiUrl, sandboxUrl].map(
      (url) => new Pool(url, { connections, headersTimeout: retryPeriodMs }),
    ) as [Pool, Pool];
    this.pools = [api, sandbox];
    this.player = new Player(
      this.withRetry(createSender(apiUrl, access.token, { dispatcher: api })),
      mustSucceed(createSender(sandboxUrl, access.supplierKey, { dispatcher: sandbox })),
      people,
    );
  }

  /** Booking, handover, drive, return and recall. It ends when the last callbacks are in the reservation. */
  async play(): Promise<Played> {
    const bookingId = randomUUID();
    const id = await this.book(bookingId);
    await this.until(id, 5);
    for (const action of dispatchActions) await this.act(id, action);
    await this.player.moveAsCustomer(id, 'start-use');
    await this.player.moveAsCustomer(id, 'return');
    await this.until(id, 30);
    for (const action of recallActions) await this.act(id, action);
    await this.until(id, 35);
    return { reservationId: id, bookingId };
  }

  /** Books a reservation and assigns staff to it, so that its next step needs no form. @returns its id */
  async assign(): Promise<number> {
    const id = await this.book(randomUUID());
    await this.until(id, 5);
    await this.act(id, 'dispatch/staff');
    return id;
  }

  /** Milliseconds of each staff action since the last call. */
  takeActions(): number[] {
    return this.actionMs.splice(0);
  }

  /** Writes that were sent again, since the last call. */
  takeSentAgain(): number {
    const count = this.sentAgain;
    this.sentAgain = 0;
    return count;
  }

  async close(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.destroy()));
  }

  private async book(key: string): Promise<number> {
    // each booking has a day of its own, so that a car is always free
    const slot = this.slot++;
    const productId = access.products[slot % access.products.length] as number;
    const startAt = Date.now() + 2 * hour + slot * 24 * hour;
    const { body } = await this.player.book({ productId, startAt, endAt: startAt + 4 * hour }, key);
    return body.reservationId;
  }

  private async act(id: number, action: ActionPath): Promise<void> {
    const began = performance.now();
    await this.player.act(id, action, randomUUID());
    this.actionMs.push(performance.now() - began);
  }

  /** Waits until the reservation has the platform's report of this status. */
  private async until(id: number, code: number): Promise<void> {
    const giveUpAt = Date.now() + retryPeriodMs;
    for (;;) {
      await sleep(pollEveryMs);
      const { status, body } = await this.player.read(id);
      if (status === 200 && body.status.code === code && body.status.grade === 'observed') return;
      if (Date.now() > giveUpAt)
        throw new Error(`reservation ${id} did not come to ${code}: ${JSON.stringify(body)}`);
    }
  }

  /** Returns a read's 404 and 503, because the caller polls. Sends a write again until it is applied, for half a minute. */
  private withRetry(send: Send): Send {
    return async (method, path, options) => {
      const giveUpAt = Date.now() + retryPeriodMs;
      for (;;) {
        const answer = await send(method, path, options);
        if (method === 'GET' && [404, busy].includes(answer.status)) return answer;
        if ([busy, underWay].includes(answer.status) && Date.now() < giveUpAt) {
          this.sentAgain++;
          await sleep(pollEveryMs);
        } else if (answer.status < 300 && answer.status !== underWay) return answer;
        else throw new RefusedRequestError(`${method} ${path}`, answer);
      }
    };
  }
}
