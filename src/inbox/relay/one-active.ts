import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { databaseErrorCode } from '../../store/connection/errors.js';
import type { HeldLease, Lease } from '../../store/connection/lease.js';
import type { Session } from '../../store/connection/session.js';
import { WakeUp } from './wake-up.js';

/** Notified after each stored event: the active relay polls. */
export const storedChannel = 'handover_stored';

/** The process that holds this lease has the active relay. */
export const relayLease = 'relay';

/** What the active process does, from its start to its stop. */
export interface Duty {
  start(): void;
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>;
  /** New events are stored. */
  wake?(): void;
  /** When its loop last turned (`performance.now()`), where a loop that hangs is to be noticed. */
  readonly turnedAt?: number;
}

export interface OneActiveOptions {
  session: () => Promise<Session>;
  /** Made anew each time this process becomes active; each step of a duty needs a lease that is still valid. */
  duties: (lease: Lease) => Duty[];
  log: Logger;
  /** How often a process that stands by tries to become active. */
  everyMs?: number;
  /** How long a holder that does not renew its lease keeps it; it renews four times as often. */
  leaseMs?: number;
}

/**
 * Of all processes that share a database one relay is active: the one that holds a lease, which ends unless it is renewed. The
 * others stand by. They take over within a second when its process ends, and in some twelve when it is frozen or its
 * machine or line is cut off. Temporal, not the relay, is the bottleneck: more than one would gain nothing.
 *
 * A holder whose lease is over begins nothing more, by its own clock, and marks nothing, for every mark is conditional on the
 * epoch of its lease. A send that was under way may still arrive after the next process has begun. That does no harm: an
 * event leaves `received` only after the engine has it, and a batch begins with the oldest that waits, so each process that
 * sends an event has sent, or sends before it, all that came earlier. The engine sees each for the first time in order,
 * and repeats carry the same ids.
 */
export class OneActive {
  private readonly everyMs: number;
  private readonly leaseMs: number;
  private readonly holder = randomUUID();
  /** Between two tries or renewals, unless something happens. */
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

  /** How long no step of this process's relay has ended, in milliseconds; each has a deadline. */
  stuckMs(): number {
    const turns = [this.turnedAt, ...this.active.flatMap((duty) => duty.turnedAt ?? [])];
    return performance.now() - Math.min(...turns);
  }

  /** Resolves when nothing is under way and the lease is free for the next. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.nap.call();
    await this.loop;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      await this.holdInTurns().catch((error) => this.cannotHold(error));
      this.turnedAt = performance.now();
      if (!this.stopping) await this.nap.wait(this.everyMs);
    }
  }

  private async holdInTurns(): Promise<void> {
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

  private cannotHold(error: unknown): void {
    if (this.failing) return;
    this.failing = true;
    this.options.log.error({ code: databaseErrorCode(error) }, 'the relay has no connection: it tries again');
  }
}
