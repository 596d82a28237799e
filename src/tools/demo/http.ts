import { randomUUID } from 'node:crypto';
import type { Instant } from '../../domain/shared/time.js';
import {
  createSender,
  type HttpAnswer,
  mustSucceed,
  RefusedRequestError,
  type Send,
} from '../player/http.js';
import { peopleNamed } from '../player/people.js';
import { Player } from '../player/player.js';
import type { Move, Seen } from './scenarios.js';

export interface DemoTargets {
  /** Status API, with a staff token. */
  apiUrl: string;
  token: string;
  /** The sandbox's address: its customer controls, and the products of the key's company. */
  sandboxUrl: string;
  supplierKey: string;
  /** Aborts every request in flight. */
  signal: AbortSignal;
}

export interface Reservation extends Seen {
  reservationId: number;
  attention: { kind: string }[];
}

/** The state changed meanwhile, or a part is busy: the caller reads the reservation again. */
export const isTransient = (error: unknown): boolean =>
  error instanceof RefusedRequestError && (error.status === 409 || error.status >= 500);

/** The demo's requests, over public HTTP only. Every method throws `RefusedRequestError`. */
export class DemoHttp {
  private readonly sandbox: Send;
  private readonly player: Player;

  constructor({ apiUrl, token, sandboxUrl, supplierKey, signal }: DemoTargets) {
    this.sandbox = mustSucceed(createSender(sandboxUrl, supplierKey, { signal }));
    this.player = new Player(
      mustSucceed(createSender(apiUrl, token, { signal })),
      this.sandbox,
      peopleNamed('Demo'),
    );
  }

  async listProducts(): Promise<number[]> {
    const { body } = await this.sandbox('GET', '/product?productApproveStatus=1');
    return (body as { productId: number }[]).map(({ productId }) => productId);
  }

  /** Books until the platform has answered; the same key again gives the first answer. */
  async book(productId: number, pickupMemo: string, startAt: Instant, endAt: Instant): Promise<number> {
    const key = newKey();
    for (let attempt = 1; attempt <= 6; attempt++) {
      const { body } = await this.player.book({ productId, startAt, endAt, pickupMemo }, key);
      if (body.reservationId !== undefined) return body.reservationId;
    }
    throw new Error('the platform did not confirm a booking within a minute');
  }

  /** Reservations that are under way on the platform, with their memos. */
  async listOpen(): Promise<{ reservationId: number; memo: string | null }[]> {
    const open: number[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const path = `/sandbox/reservations?limit=500&after=${after}`;
      const page: TruthPage = (await this.sandbox('GET', path)).body;
      const live = page.items.filter(({ reservationStatus }) => reservationStatus <= 30);
      open.push(...live.map(({ reservationId }) => reservationId));
      after = page.next;
    }
    const read: { reservationId: number; memo: string | null }[] = [];
    // one by one: all requests share one signal, and Node warns of more than ten listeners
    for (const reservationId of open) {
      const { body } = await this.sandbox('GET', `/sandbox/reservations/${reservationId}`);
      read.push({ reservationId, memo: body.pickupMemo });
    }
    return read;
  }

  /** Undefined while the first callback has not arrived yet. */
  async readReservation(id: number): Promise<Reservation | undefined> {
    try {
      return (await this.player.read(id)).body;
    } catch (error) {
      if (error instanceof RefusedRequestError && error.status === 404) return undefined;
      throw error;
    }
  }

  async makeMove(id: number, move: Exclude<Move, { who: 'none' }>): Promise<HttpAnswer> {
    switch (move.who) {
      case 'staff':
        return this.player.act(id, move.action, newKey());
      case 'customer':
        return this.player.moveAsCustomer(id, move.move);
      case 'website':
        return this.player.changePeriod(id, move);
    }
  }
}

interface TruthPage {
  items: { reservationId: number; reservationStatus: number }[];
  next: number | null;
}

const newKey = () => `demo-${randomUUID()}`;
