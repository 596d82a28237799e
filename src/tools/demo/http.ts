import { randomUUID } from 'node:crypto';
import type { Move, Seen, StaffAction } from './scenarios.js';

export interface DemoTargets {
  /** Status API, with a staff token. */
  apiUrl: string;
  token: string;
  /** The sandbox's address: its customer controls, and the products of the key's company. */
  sandboxUrl: string;
  supplierKey: string;
  /** Ends every request that is out. */
  signal: AbortSignal;
}

export interface Reservation extends Seen {
  reservationId: number;
  attention: { kind: string }[];
}

/** An answer that the demo did not expect; `mayPass`: the state changed meanwhile, or something is busy: poll again. */
export class DemoAnswerError extends Error {
  override readonly name = 'DemoAnswerError';
  readonly mayPass: boolean;
  constructor(path: string, status: number, code: string) {
    super(`${path} answered ${status} (${code})`);
    this.mayPass = status === 409 || status >= 500;
  }
}

/** What the demo asks for, over public HTTP only. Every method throws `DemoAnswerError`. */
export class DemoHttp {
  constructor(private readonly targets: DemoTargets) {}

  async products(): Promise<number[]> {
    const found = await this.sandbox<{ productId: number }[]>('GET', '/product?productApproveStatus=1');
    return found.map((product) => product.productId);
  }

  /** Books until the platform has answered; the same key again gives the first answer. */
  async book(productId: number, memo: string, startAt: number, endAt: number): Promise<number> {
    const body = JSON.stringify({
      productId,
      startAt: new Date(startAt).toISOString(),
      endAt: new Date(endAt).toISOString(),
      pickupAddress: '1 Sejong-daero, Jung-gu, Seoul',
      driver: {
        name: 'Demo Driver',
        birth: '19900101',
        phone: '01000000000',
        licenseNumber: '00-00-000000-00',
        address: '1 Sejong-daero, Jung-gu, Seoul',
      },
      pickupMemo: memo,
    });
    const key = newKey();
    for (let attempt = 1; attempt <= 6; attempt++) {
      const booked = await this.api<{ reservationId?: number }>('POST', '/api/reservations', { key, body });
      if (booked?.reservationId !== undefined) return booked.reservationId;
    }
    throw new Error('the platform did not confirm a booking within a minute');
  }

  /** Reservations that are under way on the platform, with their memos. */
  async underWay(): Promise<{ reservationId: number; memo: string | null }[]> {
    const open: number[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: TruthPage = await this.sandbox('GET', `/sandbox/reservations?limit=500&after=${after}`);
      const live = page.items.filter(({ reservationStatus }) => reservationStatus <= 30);
      open.push(...live.map(({ reservationId }) => reservationId));
      after = page.next;
    }
    return Promise.all(
      open.map(async (reservationId) => {
        const path = `/sandbox/reservations/${reservationId}`;
        const { pickupMemo } = await this.sandbox<{ pickupMemo: string | null }>('GET', path);
        return { reservationId, memo: pickupMemo };
      }),
    );
  }

  /** Undefined while the first callback has not arrived yet. */
  reservation(id: number): Promise<Reservation | undefined> {
    return this.api<Reservation>('GET', `/api/reservations/${id}`);
  }

  async press(id: number, action: StaffAction): Promise<void> {
    const path = `/api/reservations/${id}/${action}`;
    if (action.endsWith('Image')) {
      const form = new FormData();
      form.set('image', new Blob([samplePhoto], { type: 'image/png' }), 'photo.png');
      await this.api('POST', path, { body: form });
      return;
    }
    const body = action.endsWith('/staff') ? { staffName: 'Demo Staff', staffPhone: '01000000001' } : {};
    await this.api('PUT', path, { body: JSON.stringify(body) });
  }

  async customer(id: number, move: Move & { who: 'customer' }): Promise<void> {
    const path = `/sandbox/reservations/${id}/${move.action}`;
    const body = move.action === 'period' ? { endAt: new Date(move.endAt).toISOString() } : undefined;
    await this.sandbox('POST', path, body);
  }

  private async sandbox<T>(method: string, path: string, body?: object): Promise<T> {
    const { sandboxUrl, supplierKey, signal } = this.targets;
    const response = await fetch(sandboxUrl + path, {
      method,
      signal,
      headers: { authorization: `Bearer ${supplierKey}`, ...(body && json) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answerOf(path, response)) as T;
  }

  private async api<T>(
    method: string,
    path: string,
    { key = newKey(), body }: { key?: string; body?: string | FormData } = {},
  ): Promise<T | undefined> {
    const { apiUrl, token, signal } = this.targets;
    const response = await fetch(apiUrl + path, {
      method,
      signal,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'idempotency-key': key }),
        ...(typeof body === 'string' && json),
      },
      ...(body !== undefined && { body }),
    });
    if (method === 'GET' && response.status === 404) return undefined;
    return (await answerOf(path, response)) as T;
  }
}

interface TruthPage {
  items: { reservationId: number; reservationStatus: number }[];
  next: number | null;
}

const json = { 'content-type': 'application/json' };
const newKey = () => `demo-${randomUUID()}`;

async function answerOf(path: string, response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.ok) return text === '' ? undefined : JSON.parse(text);
  const code = (JSON.parse(text || '{}') as { code?: string }).code ?? 'no code';
  throw new DemoAnswerError(path, response.status, code);
}

/** A white PNG of one pixel. */
const samplePhoto = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
  'base64',
);
