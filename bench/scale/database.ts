import pg from 'pg';
import { readStat } from '../cpu.js';

/** Work of a database server since its start. */
export interface Written {
  /** Bytes of write-ahead log. */
  walBytes: number;
  /** Rows inserted, updated or deleted. */
  rows: number;
  commits: number;
}

export interface MeasuredDatabase {
  /** Process id of the server, whose children are its sessions. */
  pid: number;
  /** Bytes of the databases with their indexes. */
  bytes(): Promise<number>;
  written(): Promise<Written>;
  query<T extends pg.QueryResultRow>(text: string): Promise<T[]>;
  close(): Promise<void>;
}

/** @param names the databases of the server that count */
export async function databaseAt(url: string, names: readonly string[]): Promise<MeasuredDatabase> {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  // a server that stops with the cluster ends idle sessions
  pool.on('error', () => {});
  const query = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await pool.query<T>(text, values)).rows;
  const [session] = await query<{ pid: number }>('select pg_backend_pid() as pid');
  return {
    pid: (await readStat(session?.pid ?? 0)).parent,
    async bytes() {
      const [found] = await query<{ bytes: string }>(
        'select sum(pg_database_size(datname)) as bytes from pg_database where datname = any($1)',
        [names],
      );
      return Number(found?.bytes);
    },
    async written() {
      const [found] = await query<Record<'wal' | 'rows' | 'commits', string>>(
        `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal, sum(xact_commit) as commits,
          sum(tup_inserted + tup_updated + tup_deleted) as rows from pg_stat_database where datname = any($1)`,
        [names],
      );
      return {
        walBytes: Number(found?.wal),
        rows: Number(found?.rows),
        commits: Number(found?.commits),
      };
    },
    query,
    close: () => pool.end(),
  };
}
