import { availableParallelism } from 'node:os';
import type { Backoff } from '../../domain/shared/backoff.js';

export interface RelayLimits {
  /** Sends under way at once. */
  concurrency: number;
  /** Of one signal. */
  maxEvents: number;
  /** Of one signal, as stored, and again decompressed and as JSON. */
  maxBytes: number;
  /** Two channels report most changes: the first callback waits this long at most for the other channel's, to be sent with it. */
  coalesceMs: number;
  /** From so many events a second on, sent by this relay, it is busy: then each signal may bring several changes. */
  busyPerSecond: number;
  /** What waits for a reservation while the relay is busy. */
  busyCoalesceMs: number;
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
  busyPerSecond: 12 * availableParallelism(), // a core applies some 25 of them beside the staff actions of a main job
  busyCoalesceMs: 300,
  pollMs: 250,
  retry: { firstMs: 200, longestMs: 30_000 },
  maxRefusals: 10,
};
