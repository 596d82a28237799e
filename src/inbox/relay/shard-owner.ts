import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { databaseErrorCode } from '../../store/connection/errors.js';
import type { HeldLease, Lease } from '../../store/connection/lease.js';
import type { Session } from '../../store/connection/session.js';
import type { Duty } from './duty.js';
import { planLeases, relayLease, relayLeases, shardOfLease } from './plan-leases.js';
import { WakeUp } from './wake-up.js';

/** Notified after each stored event, so that the relays poll. */
export const storedChannel = 'handover_stored';

/** Shards of this process with their leases, as they are now. */
export type OwnShards = ReadonlyMap<number, Lease>;

/** The relay of a process, for the shards that it has. */
export interface ShardDuty extends Duty {
  /** New events are stored. */
  wake?(): void;
  /** It could not read an event a moment ago, because its process lacks a key. */
  readonly lacksKey?: boolean;
  /** Resolves when nothing of a shard is under way, which this process has no more. */
  drained(shard: number): Promise<void>;
}

export interface ShardOwnerOptions {
  session: () => Promise<Session>;
  /** Creates the relay, once for each connection; each of its steps needs a valid lease of the shard. */
  relay: (shards: OwnShards) => ShardDuty;
  /** Creates the duties that one process has for all; each step needs a valid lease. */
  duties?: (lease: Lease) => Duty[];
  log: Logger;
  /** Whether Temporal can be used; absent: always. */
  isConnected?: (() => boolean) | undefined;
  /** A process that is not connected for so long leaves its shards to the others. */
  leavesAfterMs?: number;
  /** How often a process compares its shards with its share. */
  everyMs?: number;
  /** How long a lease is valid; its holder renews it four times in that time. */
  leaseMs?: number;
}

/**
 * Of all processes that share a database, each relays the events of its shards. A shard belongs to the holder of its lease,
 * which the holder has to renew. The shards of a process that ends are taken over within a second, and those of one that is
 * frozen or cut off within some twelve seconds. One that has the database but not Temporal gives its shards to those that can send; so
 * does one that lacks a key, because others may have it.
 *
 * A holder whose lease is over, by its own clock, begins nothing more. It cannot mark rows either: every mark is conditional
 * on the epoch of the lease. A send that was under way may still arrive after the next process has begun. That does no harm:
 * an event leaves `received` only after the engine has it, and a batch begins with the oldest waiting event, so a process
 * sends all earlier events before a later one. The engine receives each event in order for the first time, and repeats
 * carry the same ids.
 */
export class ShardOwner {
  private readonly everyMs: number;
  private readonly leaseMs: number;
  private readonly leavesAfterMs: number;
  private readonly holder = randomUUID();
  /** The wait between two rounds. */
  private readonly nap = new WakeUp();
  private stopping = false;
  private loop: Promise<void> | null = null;
  private readonly own = new Map<string, HeldLease>();
  private readonly shards = new Map<number, Lease>();
  /** Given away, with nothing under way any more. */
  private readonly free: HeldLease[] = [];
  private relay: ShardDuty | undefined;
  private duties: Duty[] = [];
  /** Duties that have to stop. */
  private ending: Promise<unknown> = Promise.resolve();
  private renewedAt = 0;
  private failing = false;
  /** When Temporal could be used for the last time, by a monotonic clock: one that never could leaves the shards to the others. */
  private connectedAt = Number.NEGATIVE_INFINITY;
  /** When the loop last turned, by a monotonic clock. */
  private turnedAt = performance.now();

  constructor(private readonly options: ShardOwnerOptions) {
    this.everyMs = options.everyMs ?? 1_000;
    this.leaseMs = options.leaseMs ?? 12_000;
    this.leavesAfterMs = options.leavesAfterMs ?? 30_000;
  }

  start(): void {
    this.loop ??= this.run();
  }

  wake(): void {
    this.relay?.wake?.();
  }

  /** Milliseconds since the last step of this process's relay ended; each step has a deadline. */
  stuckMs(): number {
    const turns = [this.relay, ...this.duties].flatMap((duty) => duty?.turnedAt ?? []);
    return performance.now() - Math.min(this.turnedAt, ...turns);
  }

  /** Resolves when nothing is under way and the leases are released. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.nap.call();
    await this.loop;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      await this.connect().catch((error) => this.reportFailure(error));
      this.turnedAt = performance.now();
      if (!this.stopping) await this.nap.wait(this.everyMs);
    }
  }

  private async connect(): Promise<void> {
    const session = await this.options.session();
    const here = { alive: true };
    void session.lost.then(() => {
      here.alive = false;
      this.nap.call();
    });
    try {
      await session.listen(storedChannel, () => this.wake());
      this.relay = this.options.relay(this.shards);
      this.relay.start();
      while (here.alive && !this.stopping) {
        const hasMore = await this.round(session);
        this.turnedAt = performance.now();
        this.failing = false;
        if (!hasMore) await this.nap.wait(Math.min(this.everyMs, this.leaseMs / 4));
      }
    } finally {
      await this.endAll();
      if (here.alive) await session.releaseLeases([...this.own.values(), ...this.free]).catch(() => {});
      this.own.clear();
      this.free.length = 0;
      await session.close();
    }
  }

  /** @returns whether something was claimed: then more may follow at once */
  private async round(session: Session): Promise<boolean> {
    await this.renew(session);
    if (this.free.length > 0) await session.releaseLeases(this.free.splice(0));
    const states = await session.readLeases(relayLeases);
    const { claim, release } = planLeases(states, new Set(this.own.keys()), this.holder, this.canSend());
    const { leaseMs: durationMs, holder } = this;
    for (const name of release) this.giveAway(name);
    let claimed = 0;
    for (const wanted of claim) {
      const leases = await session.claimLeases({ ...wanted, holder, durationMs });
      for (const lease of leases) this.begin(lease);
      claimed += leases.length;
    }
    if (claimed > 0 || release.length > 0) this.logShards();
    return claimed > 0;
  }

  private canSend(): boolean {
    if (this.options.isConnected?.() ?? true) this.connectedAt = performance.now();
    if (this.relay?.lacksKey) return false;
    return performance.now() - this.connectedAt < this.leavesAfterMs;
  }

  private async renew(session: Session): Promise<void> {
    if (this.own.size === 0 || performance.now() - this.renewedAt < this.leaseMs / 4) return;
    const lost = await session.renewLeases([...this.own.values()], this.leaseMs);
    this.renewedAt = performance.now();
    for (const { name } of lost) void this.drop(name);
    if (lost.length > 0) this.logShards();
  }

  private begin(lease: HeldLease): void {
    if (this.own.size === 0) this.renewedAt = performance.now();
    this.own.set(lease.name, lease);
    const shard = shardOfLease(lease.name);
    if (shard !== undefined) this.shards.set(shard, lease);
    if (lease.name !== relayLease) return;
    this.duties = this.options.duties?.(lease) ?? [];
    for (const duty of this.duties) duty.start();
  }

  /** Begins nothing more under the lease. Resolves when nothing is under way. */
  private async drop(name: string): Promise<void> {
    this.own.delete(name);
    if (name === relayLease) await this.endDuties();
    const shard = shardOfLease(name);
    if (shard === undefined) return;
    this.shards.delete(shard);
    await this.relay?.drained(shard);
  }

  /** For another process. It is not renewed meanwhile: a send ends before its lease. */
  private giveAway(name: string): void {
    const lease = this.own.get(name);
    if (lease !== undefined) void this.drop(name).then(() => this.free.push(lease));
  }

  private async endAll(): Promise<void> {
    const hadShards = this.shards.size > 0;
    this.shards.clear();
    await Promise.all([this.relay?.stop(), this.endDuties()]);
    this.relay = undefined;
    if (hadShards) this.logShards();
  }

  private async endDuties(): Promise<void> {
    const stops = this.duties.splice(0).map((duty) => duty.stop());
    this.ending = Promise.all([this.ending, ...stops]);
    await this.ending;
  }

  private logShards(): void {
    const shards = [...this.shards.keys()].sort((one, other) => one - other);
    this.options.log.info({ shards }, 'shards of this relay');
  }

  private reportFailure(error: unknown): void {
    if (this.failing) return;
    this.failing = true;
    this.options.log.error({ code: databaseErrorCode(error) }, 'the relay has no connection: it tries again');
  }
}
