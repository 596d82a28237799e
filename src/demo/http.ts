import { randomUUID } from 'node:crypto';
import type { Seen, StaffAction } from './scenarios.js';

export interface DemoTargets {
  /** Status API, with a staff token. */
  apiUrl: string;
  token: string;
  /** The sandbox's address: its customer controls, and the products of the key's company. */
  sandboxUrl: string;
  supplierKey: string;
}

export interface Reservation extends Seen {
  reservationId: number;
  pickup: { memo: string | null };
  period: { end: string } | null;
  attention: { kind: string }[];
}

/** What the demo asks for, over public HTTP only; every method throws on an answer it did not expect. */
export class DemoHttp {
  constructor(private readonly targets: DemoTargets) {}

  async products(): Promise<number[]> {
    const url = `${this.targets.sandboxUrl}/product?productApproveStatus=1`;
    const found = await this.read(url, this.targets.supplierKey);
    return (found as { productId: number }[]).map((product) => product.productId);
  }

  async book(productId: number, memo: string, startAt: Date, endAt: Date): Promise<number> {
    const body = {
      productId,
      startAt: startAt.toISOString(),
      endAt: endAt.toISOString(),
      pickupAddress: '1 Sejong-daero, Jung-gu, Seoul',
      driver: {
        name: 'Demo Driver',
        birth: '19900101',
        phone: '01000000000',
        licenseNumber: '00-00-000000-00',
        address: '1 Sejong-daero, Jung-gu, Seoul',
      },
      pickupMemo: memo,
    };
    const answer = await this.write('POST', '/api/reservations', JSON.stringify(body), 'application/json');
    return (answer as { reservationId: number }).reservationId;
  }

  async openReservations(): Promise<number[]> {
    const found = await this.read(`${this.targets.apiUrl}/api/reservations?limit=100`, this.targets.token);
    return (found as { items: { reservationId: number }[] }).items.map((item) => item.reservationId);
  }

  /** Undefined while the first callback has not arrived yet. */
  async reservation(id: number): Promise<Reservation | undefined> {
    const url = `${this.targets.apiUrl}/api/reservations/${id}`;
    const response = await fetch(url, { headers: bearer(this.targets.token) });
    if (response.status === 404) return undefined;
    return (await answerOf(response)) as Reservation;
  }

  async press(id: number, action: StaffAction): Promise<void> {
    const path = `/api/reservations/${id}/${action}`;
    if (action.endsWith('Image')) {
      const form = new FormData();
      form.set('image', new Blob([samplePhoto], { type: 'image/png' }), 'photo.png');
      await this.write('POST', path, form);
      return;
    }
    const body = action.endsWith('/staff') ? { staffName: 'Demo Staff', staffPhone: '01000000001' } : {};
    await this.write('PUT', path, JSON.stringify(body), 'application/json');
  }

  async customer(id: number, action: string): Promise<void> {
    const url = `${this.targets.sandboxUrl}/sandbox/reservations/${id}/${action}`;
    await answerOf(await fetch(url, { method: 'POST', headers: bearer(this.targets.supplierKey) }));
  }

  private async read(url: string, key: string): Promise<unknown> {
    return answerOf(await fetch(url, { headers: bearer(key) }));
  }

  private async write(
    method: string,
    path: string,
    body: string | FormData,
    type?: string,
  ): Promise<unknown> {
    const headers: Record<string, string> = {
      ...bearer(this.targets.token),
      'idempotency-key': `demo-${randomUUID()}`,
      ...(type === undefined ? {} : { 'content-type': type }),
    };
    return answerOf(await fetch(this.targets.apiUrl + path, { method, headers, body }));
  }
}

function bearer(key: string): { authorization: string } {
  return { authorization: `Bearer ${key}` };
}

async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.ok) return text === '' ? undefined : JSON.parse(text);
  const code = (JSON.parse(text || '{}') as { code?: string }).code ?? 'no code';
  throw new Error(`${new URL(response.url).pathname} answered ${response.status} (${code})`);
}

/** A white PNG of one pixel. */
const samplePhoto = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
  'base64',
);
