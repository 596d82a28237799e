import type { EventChannel } from '../../domain/reservation/types.js';

/** A callback as the receiver stores it. */
export interface Arrival {
  identity: 'webhook-id' | 'content';
  eventId: string;
  channel: EventChannel;
  path: string;
  reservationId: number | null;
  receivedAt: number;
  headers: Record<string, string>;
  raw: Buffer;
  /** Under each key, the one to store first. */
  contentHashes: readonly [string, ...string[]];
}
