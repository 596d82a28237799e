import type { EventChannel } from '../../domain/reservation/types.js';

/** What an inbox row tells of an event beside its body. */
export interface StoredEvent {
  id: number;
  identity: 'webhook-id' | 'content';
  eventId: string;
  channel: EventChannel;
  receivedAt: number;
  /** How often a person had it read again. */
  replays: number;
}

/** A stored event as the table holds it: encrypted, and as it was sent. */
export interface SealedEvent extends StoredEvent {
  sealed: Uint8Array;
  /** Its `Content-Encoding`. */
  coding: string | undefined;
}
