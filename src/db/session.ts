import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** What lives as long as one connection of its own: a lock, and being told. */
export interface Session {
  /** True: this session has lock `key` now, and keeps it for as long as it lives. False: another one has it. */
  tryLock(key: number): Promise<boolean>;
  /** `heard` is called at each `notify` on `channel`, of whichever process. */
  listen(channel: string, heard: () => void): Promise<void>;
  /** @throws where the session does not answer within seconds: its lock may be another's by now */
  ping(): Promise<void>;
  /** Resolves when the connection is gone, and the lock with it. */
  readonly lost: Promise<void>;
  close(): Promise<void>;
}

/** The session that has a lock. */
export interface LockHolder {
  /** When it was opened; an instant. Null: the server shows it to the session's own user alone. */
  since: number | null;
  /** Where it comes from; null: the machine of the database, or not shown either. */
  address: string | null;
}

const answerMs = 5_000;

/**
 * A session on a server. The server gives up a connection that is silent for some ten seconds (a machine without power,
 * a cut line), and with it the lock: by its own default that takes hours.
 */
export async function openServerSession(url: string): Promise<Session> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'handover session',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    keepAlive: true,
  });
  const lost = new Promise<void>((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
  });
  await client.connect();
  // a server whose system does not have one of them keeps its own
  for (const setting of [
    'tcp_keepalives_idle = 5',
    'tcp_keepalives_interval = 2',
    'tcp_keepalives_count = 3',
    'tcp_user_timeout = 10000',
  ])
    await client.query(`set ${setting}`).catch(() => {});
  const hearing = new Map<string, () => void>();
  client.on('notification', ({ channel }) => hearing.get(channel)?.());
  return {
    lost,
    async tryLock(key) {
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
        key,
      ]);
      return rows[0]?.taken === true;
    },
    async listen(channel, heard) {
      hearing.set(channel, heard);
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    },
    async ping() {
      await client.query('select 1');
    },
    // a line that is silent does not keep anybody from stopping
    close: () => Promise.race([client.end().catch(() => {}), sleep(2_000, undefined, { ref: false })]),
  };
}

/** Who has lock `key` of this database; null: nobody. */
export async function serverLockHolder(pool: pg.Pool, key: number): Promise<LockHolder | null> {
  const { rows } = await pool.query<{ since: Date | null; address: string | null }>(
    `select backend_start as since, host(client_addr) as address
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and classid = 0 and objid = $1 and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())`,
    [key],
  );
  const [holder] = rows;
  return holder === undefined ? null : { since: holder.since?.getTime() ?? null, address: holder.address };
}
