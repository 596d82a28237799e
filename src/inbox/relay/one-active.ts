import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { databaseErrorCode } from '../../store/connection/errors.js';
import type { HeldLease, Lease } from '../../store/connection/lease.js';
import type { Session } from '../../store/connection/session.js';
import { WakeUp } from './wake-up.js';

/** Notified after each stored event, so that the active relay polls. */
export const storedChannel = 'handover_stored';

/** The process that holds this lease has the active relay. */
export const relayLease = 'relay';

/** Background work of the active process. */
export interface Duty {
  start(): void;
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>;
  /** Called when new events are stored. */
  wake?(): void;
  /** When its loop last turned (`performance.now()`); absent: a loop that hangs is not reported. */
  readonly turnedAt?: number;
}

export interface OneActiveOptions {
  session: () => Promise<Session>;
  /** Creates the duties each time this process becomes active; each step of a duty needs a valid lease. */
  duties: (lease: Lease) => Duty[];
  log: Logger;
  /** How often a standby process tries to become active. */
  everyMs?: number;
  /** How long a lease is valid; its holder renews it four times in that time. */
  leaseMs?: number;
}

/**
 * Of all processes that share a database, one has the active relay: the holder of a lease, which it has to renew. The others
 * stand by. One of them takes over within a second when the process ends, and within some twelve seconds when it is frozen
 * or cut off. More than one active relay would gain nothing: Temporal is the bottleneck.
 *
 * A holder whose lease is over, by its own clock, begins nothing more. It cannot mark rows either: every mark is conditional
 * on the epoch of the lease. A send that was under way may still arrive after the next process has begun. That does no harm:
 * an event leaves `received` only after the engine has it, and a batch begins with the oldest waiting event, so a process
 * sends all earlier events before a later one. The engine receives each event in order for the first time, and repeats
 * carry the same ids.
 */
export class OneActive {
  private readonly everyMs: number;
  private readonly leaseMs: number;
  private readonly holder = randomUUID();
  /** The wait between two tries or renewals. */
  private readonly nap = new WakeUp();
  private stopping = false;
  private loop: Promise<void> | null = null;
  private active: Duty[] = [];
  private failing = false;
  /** When the loop last turned, by a monotonic clock. */
  private turnedAt = performance.now();

  constructor(private readonly options: OneActiveOptions) {
    this.everyMs = options.everyMs ?? 1_000;
    this.leaseMs = options.leaseMs ?? 12_000;
  }

  start(): void {
    this.loop ??= this.run();
  }

  wake(): void {
    for (const duty of this.active) duty.wake?.();
  }

  /** Milliseconds since the last step of this process's relay ended; each step has a deadline. */
  stuckMs(): number {
    const turns = [this.turnedAt, ...this.active.flatMap((duty) => duty.turnedAt ?? [])];
    return performance.now() - Math.min(...turns);
  }

  /** Resolves when nothing is under way and the lease is released. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.nap.call();
    await this.loop;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      await this.serveInTurns().catch((error) => this.reportFailure(error));
      this.turnedAt = performance.now();
      if (!this.stopping) await this.nap.wait(this.everyMs);
    }
  }

  private async serveInTurns(): Promise<void> {
    const session = await this.options.session();
    const here = { alive: true };
    void session.lost.then(() => {
      here.alive = false;
      this.nap.call();
    });
    const claim = { name: relayLease, holder: this.holder, durationMs: this.leaseMs };
    try {
      await session.listen(storedChannel, () => this.wake());
      while (here.alive && !this.stopping) {
        const lease = await session.claimLease(claim);
        this.turnedAt = performance.now();
        this.failing = false;
        if (lease !== null) return await this.serve(session, lease, here);
        await this.nap.wait(this.everyMs);
      }
    } finally {
      await session.close();
    }
  }

  private async serve(session: Session, lease: HeldLease, here: { alive: boolean }): Promise<void> {
    const { duties, log } = this.options;
    this.active = duties(lease);
    for (const duty of this.active) duty.start();
    log.info({ epoch: lease.epoch }, 'this relay is the active one');
    try {
      for (;;) {
        await this.nap.wait(this.leaseMs / 4);
        this.turnedAt = performance.now();
        if (!here.alive || this.stopping) break;
        if (!(await session.renewLease(lease, this.leaseMs))) break;
      }
    } finally {
      await Promise.all(this.active.splice(0).map((duty) => duty.stop()));
      if (here.alive) await session.releaseLease(lease).catch(() => {});
      log.info({ epoch: lease.epoch }, 'this relay is no longer the active one');
    }
  }

  private reportFailure(error: unknown): void {
    if (this.failing) return;
    this.failing = true;
    this.options.log.error({ code: databaseErrorCode(error) }, 'the relay has no connection: it tries again');
  }
}
