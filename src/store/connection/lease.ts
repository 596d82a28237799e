import { startStopwatch } from './elapsed.js';

/** What a statement is conditional on: the lease of this name has not been taken over since. */
export interface Fence {
  name: string;
  /** Counts the holders: each takeover is one more. */
  epoch: number;
}

/** The right to do what one process at a time does, for a while. Its holder checks it before each step. */
export interface Lease extends Fence {
  /** How long it is valid for certain, in milliseconds; 0: it may be another process's by now. */
  remainingMs(): number;
}

/** So much earlier than the database the holder considers its lease over: clocks run at different speeds. */
const marginMs = 1_000;

/** A lease that this process holds. Its time counts from before the statement that gave it, so it ends here first. */
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
  renewed(elapsed: () => number): void {
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
   * The server process of a connection that lives as long as its holder: without it the lease is free before its time. Null:
   * unknown, or shared with others.
   */
  backendPid: number | null;
}

/**
 * Leases on a connection: rows with an end by the database's clock. An advisory lock would last as long as its connection, which a
 * frozen process keeps open.
 */
export function leasesOn(query: Query) {
  return {
    /** Null: another process holds it. */
    async claim({ name, holder, durationMs, backendPid }: LeaseClaim): Promise<HeldLease | null> {
      const elapsed = startStopwatch();
      // an end beyond the next minutes was written by a clock that has been set back since
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
      if (rows.length > 0) lease.renewed(elapsed);
      return rows.length > 0;
    },

    /** Another process may claim it at once. */
    async release({ name, epoch }: Fence): Promise<void> {
      await query('update leases set expires_at = null where name = $1 and epoch = $2', [name, epoch]);
    },
  };
}
