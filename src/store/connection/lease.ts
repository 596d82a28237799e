import { startStopwatch } from './elapsed.js';

/** The condition of a write: no other process has taken over the lease of this name since. */
export interface Fence {
  name: string;
  /** Number of the takeover. */
  epoch: number;
}

/** The right to do, for a limited time, what only one process may do. Its holder checks it before each step. */
export interface Lease extends Fence {
  /** Milliseconds for which it is certainly valid; 0: another process may hold it. */
  remainingMs(): number;
}

/** The holder considers its lease over this much before the database does, because clocks run at different speeds. */
const marginMs = 1_000;

/** A lease that this process holds. Its time counts from before the statement that granted it, so it ends here first. */
export class HeldLease implements Lease {
  private elapsedMs: () => number;

  /** @param elapsed started before the statement that claimed it */
  constructor(
    readonly name: string,
    readonly epoch: number,
    private readonly durationMs: number,
    elapsed: () => number,
  ) {
    this.elapsedMs = elapsed;
  }

  /** @param elapsed started before the statement that renewed it */
  recordRenewal(elapsed: () => number): void {
    this.elapsedMs = elapsed;
  }

  remainingMs(): number {
    const margin = Math.min(marginMs, this.durationMs / 6);
    return Math.max(0, this.durationMs - margin - this.elapsedMs());
  }
}

/** A connection's own statements. */
export type Query = (text: string, values: unknown[]) => Promise<{ rows: unknown[] }>;

export interface LeaseClaim {
  name: string;
  /** Identifies one process. */
  holder: string;
  durationMs: number;
  /**
   * The server process of a connection that lives as long as its holder: once it is gone, the lease is free. Null:
   * unknown, or shared with others.
   */
  backendPid: number | null;
}

/**
 * Leases are rows with an end by the database's clock. An advisory lock would last as long as its connection, which a frozen
 * process holds open.
 */
export function leasesOn(query: Query) {
  return {
    /** Null: another process holds it. */
    async claim({ name, holder, durationMs, backendPid }: LeaseClaim): Promise<HeldLease | null> {
      const elapsed = startStopwatch();
      // an end far in the future was written before the clock was set back
      const claimed = () =>
        query(
          `update leases set holder = $2, epoch = epoch + 1, backend_pid = $4, address = host(inet_client_addr()),
            since = now(), expires_at = now() + $3 * interval '1 millisecond'
          where name = $1 and (expires_at is null or expires_at not between now() and now() + interval '5 minutes'
            or holder = $2
            or (backend_pid is not null and not exists (select 1 from pg_stat_get_activity(backend_pid))))
          returning epoch`,
          [name, holder, durationMs, backendPid],
        );
      let { rows } = await claimed();
      if (rows.length === 0) {
        const made = await query(
          `insert into leases (name, holder, epoch, since) values ($1, '', 0, now()) on conflict do nothing returning 1`,
          [name],
        );
        if (made.rows.length > 0) ({ rows } = await claimed());
      }
      const [row] = rows as { epoch: number | string }[];
      return row === undefined ? null : new HeldLease(name, Number(row.epoch), durationMs, elapsed);
    },

    /** False: another process has taken it over. */
    async renew(lease: HeldLease, durationMs: number): Promise<boolean> {
      const elapsed = startStopwatch();
      const { rows } = await query(
        `update leases set expires_at = now() + $3 * interval '1 millisecond' where name = $1 and epoch = $2 returning 1`,
        [lease.name, lease.epoch, durationMs],
      );
      if (rows.length > 0) lease.recordRenewal(elapsed);
      return rows.length > 0;
    },

    /** Releases it: another process may claim it at once. */
    async release({ name, epoch }: Fence): Promise<void> {
      await query('update leases set expires_at = null where name = $1 and epoch = $2', [name, epoch]);
    },
  };
}
