import type { RetryGate } from './retry-gate.js';

/**
 * While the engine takes nothing it is asked with one reservation after the other: whatever holds up one of them alone
 * (its workflow is busy, its signal hangs) keeps no other one from finding out that the engine is back.
 */
export class Outage {
  /** Reservations that the engine did not take since it began, and whether this round has asked with them. */
  private readonly probed = new Map<number, boolean>();

  constructor(private readonly backoff: RetryGate) {}

  get isUnderWay(): boolean {
    return this.backoff.failing;
  }

  /** True where the engine may be asked (again). */
  isOver(now: number): boolean {
    return this.backoff.isOver(now);
  }

  /** Sends that were under way together fail together, and count once. */
  recordFailure(reservationId: number, now: number): void {
    this.probed.set(reservationId, true);
    if (this.backoff.isOver(now)) this.backoff.failed(now);
  }

  /** With whom the engine was asked in this round: it is the others' turn. */
  probedReservations(): number[] {
    return [...this.probed].filter(([, now]) => now).map(([reservationId]) => reservationId);
  }

  /** No other event is left to ask with. */
  startRound(): void {
    for (const reservationId of this.probed.keys()) this.probed.set(reservationId, false);
  }

  /** @returns the reservations that the engine did not take meanwhile */
  end(): number[] {
    const waited = [...this.probed.keys()];
    this.probed.clear();
    this.backoff.succeeded();
    return waited;
  }
}
