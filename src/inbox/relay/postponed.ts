import type { Backoff } from '../../domain/shared/backoff.js';
import { RetryGate } from './retry-gate.js';

/** A process that lacked a key is not to relay for so long, where another one does. */
const lacksKeyForMs = 5 * 60_000;

/**
 * Reservations whose events were refused or not accepted: retried later, one event at a time, each with a wait of its own.
 * Times are milliseconds of a monotonic clock.
 */
export class Postponed {
  private readonly gates = new Map<number, RetryGate>();
  /** Those of them that this process lacks a key of. */
  private readonly lacking = new Set<number>();
  private lackedKeyAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly waits: Backoff) {}

  has(reservationId: number): boolean {
    return this.gates.has(reservationId);
  }

  postpone(reservationId: number): void {
    const gate = this.gates.get(reservationId) ?? new RetryGate(this.waits);
    gate.recordFailure(performance.now());
    this.gates.set(reservationId, gate);
  }

  postponeWithoutKey(reservationId: number): void {
    // not at each retry: where no process has the key, one of them continues with all others
    if (!this.lacking.has(reservationId)) this.lackedKeyAt = performance.now();
    this.lacking.add(reservationId);
    this.postpone(reservationId);
  }

  /** It lacked a key a moment ago. */
  get lacksKey(): boolean {
    return performance.now() - this.lackedKeyAt < lacksKeyForMs;
  }

  /** Its shards are gone: one that comes back is given away again, where a key is still lacking that others may have. */
  forgetLackedKeys(): void {
    this.lacking.clear();
  }

  /** Those whose wait is not over. */
  waiting(): number[] {
    const now = performance.now();
    return [...this.gates].filter(([, gate]) => !gate.isOver(now)).map(([reservationId]) => reservationId);
  }

  /** Their next try may come at once. */
  retryNow(reservationIds: readonly number[]): void {
    for (const reservationId of reservationIds) this.gates.get(reservationId)?.tryNow();
  }

  forget(reservationId: number): void {
    this.gates.delete(reservationId);
    this.lacking.delete(reservationId);
  }

  /** Another process or a person has dealt with the events of all but these. */
  forgetAllBut(reservationIds: ReadonlySet<number>): void {
    for (const reservationId of this.gates.keys()) {
      if (!reservationIds.has(reservationId)) this.forget(reservationId);
    }
  }
}
