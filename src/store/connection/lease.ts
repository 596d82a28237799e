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
  /** The wanted ones, most wanted first; a name contains no comma. */
  names: readonly string[];
  /** The most leases to claim. */
  most: number;
  /** Identifies one process. */
  holder: string;
  durationMs: number;
  /**
   * The server process of a connection that lives as long as its holder: once it is gone, the lease is free. Null:
   * unknown, or shared with others.
   */
  backendPid: number | null;
}

/** A lease as the database has it. */
export interface LeaseState {
  name: string;
  holder: string;
  epoch: number;
  /** By the database's clock, and its server process lives. */
  isValid: boolean;
}

/** A condition on a row of `leases`: a process holds it. An end far in the future was written before the clock was set back. */
export const isValid = `(expires_at is not null and expires_at between now() and now() + interval '5 minutes'
  and (backend_pid is null or exists (select 1 from pg_stat_get_activity(backend_pid))))`;

/**
 * Leases are rows with an end by the database's clock. An advisory lock would last as long as its connection, which a frozen
 * process holds open.
 */
export function leasesOn(query: Query) {
  const list = (names: readonly string[]) => names.join(',');
  return {
    /** @returns those that exist */
    async read(names: readonly string[]): Promise<LeaseState[]> {
      const { rows } = await query(
        `select name, holder, epoch, ${isValid} as valid from leases where name = any(string_to_array($1, ','))`,
        [list(names)],
      );
      return (rows as { name: string; holder: string; epoch: number | string; valid: boolean }[]).map(
        ({ name, holder, epoch, valid }) => ({ name, holder, epoch: Number(epoch), isValid: valid }),
      );
    },

    /** Claims free leases, and those of this holder. @returns the claimed ones, `most` at the most */
    async claim({ names, most, holder, durationMs, backendPid }: LeaseClaim): Promise<HeldLease[]> {
      const elapsed = startStopwatch();
      const claimed = async (count: number) => {
        const { rows } = await query(
          `update leases set holder = $2, epoch = epoch + 1, backend_pid = $4, address = host(inet_client_addr()),
            since = now(), expires_at = now() + $3 * interval '1 millisecond'
          where name = any(array(select name from leases
            where name = any(string_to_array($1, ',')) and (not ${isValid} or holder = $2)
            order by array_position(string_to_array($1, ','), name) limit $5 for update skip locked))
          returning name, epoch`,
          [list(names), holder, durationMs, backendPid, count],
        );
        return (rows as { name: string; epoch: number | string }[]).map(
          ({ name, epoch }) => new HeldLease(name, Number(epoch), durationMs, elapsed),
        );
      };
      const leases = await claimed(most);
      if (leases.length >= Math.min(most, names.length)) return leases;
      const made = await query(
        `insert into leases (name, holder, epoch, since)
          select name, '', 0, now() from unnest(string_to_array($1, ',')) as name
          on conflict do nothing returning 1`,
        [list(names)],
      );
      return made.rows.length > 0 ? [...leases, ...(await claimed(most - leases.length))] : leases;
    },

    /** @returns those that another process has taken over */
    async renew(leases: readonly HeldLease[], durationMs: number): Promise<HeldLease[]> {
      const elapsed = startStopwatch();
      const { rows } = await query(
        `update leases set expires_at = now() + $2 * interval '1 millisecond'
          from jsonb_to_recordset($1::text::jsonb) as own(name text, epoch bigint)
          where leases.name = own.name and leases.epoch = own.epoch returning leases.name`,
        [JSON.stringify(leases.map(({ name, epoch }) => ({ name, epoch }))), durationMs],
      );
      const renewed = new Set((rows as { name: string }[]).map(({ name }) => name));
      for (const lease of leases) if (renewed.has(lease.name)) lease.recordRenewal(elapsed);
      return leases.filter(({ name }) => !renewed.has(name));
    },

    /** Releases them: another process may claim them at once. */
    async release(leases: readonly Fence[]): Promise<void> {
      await query(
        `update leases set expires_at = null from jsonb_to_recordset($1::text::jsonb) as own(name text, epoch bigint)
          where leases.name = own.name and leases.epoch = own.epoch`,
        [JSON.stringify(leases.map(({ name, epoch }) => ({ name, epoch })))],
      );
    },
  };
}
