import type { Backoff } from '../../domain/shared/backoff.js';

export interface RelayLimits {
  /** Sends under way at once. */
  concurrency: number;
  /** Of one signal. */
  maxEvents: number;
  /** Of one signal, as stored, and again decompressed and as JSON. */
  maxBytes: number;
  /** Two callbacks often report one change: the first waits this long at most for the second, to be sent with it. */
  coalesceMs: number;
  /** Between two polls without news: the notification of a receiver in another process can be lost. */
  pollMs: number;
  /** First and longest wait after a failure. */
  retry: Backoff;
  /** After so many refusals an event is a dead letter. */
  maxRefusals: number;
}

export const relayLimits: Readonly<RelayLimits> = {
  concurrency: 16,
  maxEvents: 100,
  maxBytes: 512 * 1024, // a quarter of the size that Temporal accepts for one payload
  coalesceMs: 100,
  pollMs: 250,
  retry: { firstMs: 200, longestMs: 30_000 },
  maxRefusals: 10,
};
