import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { FormData, Pool } from 'undici';
import { type Action, dispatchActions, isPhoto, methodOf, recallActions, staff } from './actions.js';
import { pixel } from './photo.js';
import { access, type Target } from './target.js';

const lookEveryMs = 150;
const patienceMs = 30_000;
const hour = 3_600_000;
/** No answer in time: a client asks again, a write with its Idempotency-Key. */
const busy = 503;
/** The outcome did not come within the patience of the API. */
const underWay = 202;

export interface Played {
  reservationId: number;
  bookingId: string;
}

/** Plays whole lifecycles against one target over its HTTP paths, as channel, staff and customer. */
export class Player {
  private readonly api: Pool;
  private readonly sandbox: Pool;
  private actionMs: number[] = [];
  private slot = 0;
  private askedAgain = 0;

  constructor(target: Target, connections: number) {
    this.api = new Pool(target.apiUrl, { connections, headersTimeout: patienceMs });
    this.sandbox = new Pool(target.sandboxUrl, { connections, headersTimeout: patienceMs });
  }

  /** Booked, handed over, driven, returned, recalled; done when the last callbacks are in the reservation. */
  async play(): Promise<Played> {
    const bookingId = randomUUID();
    const reservationId = await this.book(bookingId);
    await this.until(reservationId, 5);
    for (const action of dispatchActions) await this.press(reservationId, action);
    await this.customer(reservationId, 'start-use');
    await this.customer(reservationId, 'return');
    await this.until(reservationId, 30);
    for (const action of recallActions) await this.press(reservationId, action);
    await this.until(reservationId, 35);
    return { reservationId, bookingId };
  }

  /** Milliseconds of each staff action since the last time. */
  takeActions(): number[] {
    return this.actionMs.splice(0);
  }

  /** Writes that had to be sent again since the last time. */
  takeAskedAgain(): number {
    const count = this.askedAgain;
    this.askedAgain = 0;
    return count;
  }

  async close(): Promise<void> {
    await this.api.destroy();
    await this.sandbox.destroy();
  }

  private async book(bookingId: string): Promise<number> {
    // a day of its own for each booking: a car is always free
    const slot = this.slot++;
    const startAt = Date.now() + 2 * hour + slot * 24 * hour;
    const body = {
      productId: access.products[slot % access.products.length],
      startAt: new Date(startAt).toISOString(),
      endAt: new Date(startAt + 4 * hour).toISOString(),
      pickupAddress: '1 Sejong-daero, Jung-gu, Seoul',
      driver: {
        name: 'Bench Driver',
        birth: '19900101',
        phone: '01000000000',
        licenseNumber: '00-00-000000-00',
        address: '1 Sejong-daero, Jung-gu, Seoul',
      },
    };
    const answer = await this.call(this.api, 'POST', '/api/reservations', 201, bookingId, body);
    return (answer as { reservationId: number }).reservationId;
  }

  private async press(id: number, action: Action): Promise<void> {
    const body = isPhoto(action) ? photo() : action.endsWith('/staff') ? staff : {};
    const path = `/api/reservations/${id}/${action}`;
    const began = performance.now();
    await this.call(this.api, methodOf(action), path, 200, randomUUID(), body);
    this.actionMs.push(performance.now() - began);
  }

  private async customer(id: number, move: string): Promise<void> {
    await this.call(this.sandbox, 'POST', `/sandbox/reservations/${id}/${move}`, 200);
  }

  /** Waits until the platform's report of this status is in the reservation. */
  private async until(id: number, code: number): Promise<void> {
    const giveUpAt = Date.now() + patienceMs;
    for (;;) {
      await sleep(lookEveryMs);
      const { statusCode, body } = await this.api.request({
        method: 'GET',
        path: `/api/reservations/${id}`,
        headers: { authorization: `Bearer ${access.token}` },
      });
      const text = await body.text();
      if (statusCode === 200) {
        const { status } = JSON.parse(text) as { status: { code: number; grade: string } };
        if (status.code === code && status.grade === 'observed') return;
      } else if (statusCode !== 404 && statusCode !== busy)
        throw new Error(`reservation ${id} answered ${statusCode}: ${text}`);
      if (Date.now() > giveUpAt) throw new Error(`reservation ${id} did not come to ${code}: ${text}`);
    }
  }

  private async call(
    pool: Pool,
    method: 'POST' | 'PUT',
    path: string,
    expected: number,
    key?: string,
    body?: object,
  ): Promise<unknown> {
    const json = body !== undefined && !(body instanceof FormData);
    const { statusCode, body: answer } = await pool.request({
      method,
      path,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${access.token}`, 'idempotency-key': key }),
        ...(json && { 'content-type': 'application/json' }),
      },
      body: body instanceof FormData ? body : json ? JSON.stringify(body) : null,
    });
    const text = await answer.text();
    if (key !== undefined && (statusCode === busy || statusCode === underWay)) {
      this.askedAgain++;
      await sleep(lookEveryMs);
      return this.call(pool, method, path, expected, key, body);
    }
    if (statusCode !== expected) throw new Error(`${method} ${path} answered ${statusCode}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}

/** No two are equal: a store by content hash keeps each one. Bytes after a PNG's end are not looked at. */
function photo(): FormData {
  const form = new FormData();
  form.set('image', new Blob([pixel, randomUUID()], { type: 'image/png' }), 'photo.png');
  return form;
}
