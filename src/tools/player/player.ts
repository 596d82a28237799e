import type { Instant } from '../../domain/shared/time.js';
import { type ActionPath, type CustomerMove, methodOf } from './actions.js';
import { type HttpAnswer, type Send, sendWrite } from './http.js';
import { bodyOf, bookingBody, type People, type Rental } from './people.js';

/**
 * Plays the staff of one deployment and the customers of its platform, over HTTP alone: what rehearsal, demo and benchmark
 * share. The caller decides when a person acts, and what an answer means.
 */
export class Player {
  /** @param controls the sandbox, whose customers and web site they are */
  constructor(
    private readonly staff: Send,
    private readonly controls: Send,
    private readonly people: People,
  ) {}

  /** Books through Handover, as a channel. @param key the same key again gives the first answer */
  book(rental: Rental, key: string): Promise<HttpAnswer> {
    const body = bookingBody(this.people, rental);
    return sendWrite(this.staff, 'POST', '/api/reservations', { key, body });
  }

  /** @param more fields beside those that the action needs: an override and its reason, a note */
  act(
    id: number,
    action: ActionPath,
    key: string,
    more?: Record<string, string | boolean>,
  ): Promise<HttpAnswer> {
    const body = bodyOf(this.people, action, more);
    return sendWrite(this.staff, methodOf(action), `/api/reservations/${id}/${action}`, { key, body });
  }

  moveAsCustomer(id: number, move: CustomerMove): Promise<HttpAnswer> {
    return this.controls('POST', `/sandbox/reservations/${id}/${move}`);
  }

  /** The customer changes the rental on the web site. */
  changePeriod(id: number, { startAt, endAt }: { startAt?: Instant; endAt?: Instant }): Promise<HttpAnswer> {
    const body = {
      ...(startAt !== undefined && { startAt: new Date(startAt).toISOString() }),
      ...(endAt !== undefined && { endAt: new Date(endAt).toISOString() }),
    };
    return this.controls('POST', `/sandbox/reservations/${id}/period`, { body });
  }

  /** The reservation in the status API; 404 until its first callback arrives. */
  read(id: number): Promise<HttpAnswer> {
    return this.staff('GET', `/api/reservations/${id}`);
  }
}
