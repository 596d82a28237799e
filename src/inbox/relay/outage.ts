import type { RetryGate } from './retry-gate.js';

/**
 * During an outage of the engine, the relay probes it with the events of one reservation after the other. So a reservation
 * whose own workflow blocks (it is busy, its signal hangs) does not hide that the engine is back.
 */
export class Outage {
  /** Reservations whose events the engine did not accept during the outage; true: probed in this round. */
  private readonly probed = new Map<number, boolean>();

  constructor(private readonly gate: RetryGate) {}

  get isUnderWay(): boolean {
    return this.gate.isFailing;
  }

  /** True where the engine may be probed (again). */
  isOver(now: number): boolean {
    return this.gate.isOver(now);
  }

  /** Sends that were under way together fail together, and count as one failure. */
  recordFailure(reservationId: number, now: number): void {
    this.probed.set(reservationId, true);
    if (this.gate.isOver(now)) this.gate.recordFailure(now);
  }

  /** Reservations of this round so far: the next probe takes another one. */
  probedReservations(): number[] {
    return [...this.probed].filter(([, now]) => now).map(([reservationId]) => reservationId);
  }

  /** Begins the next round: every waiting reservation has been probed. */
  startRound(): void {
    for (const reservationId of this.probed.keys()) this.probed.set(reservationId, false);
  }

  /** @returns the reservations whose events the engine did not accept meanwhile */
  end(): number[] {
    const waited = [...this.probed.keys()];
    this.probed.clear();
    this.gate.recordSuccess();
    return waited;
  }
}
