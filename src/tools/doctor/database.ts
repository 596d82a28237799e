import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { databaseErrorCode } from '../../store/connection/errors.js';
import { notificationsArrive } from '../../store/connection/notifications-arrive.js';
import { openServerSession } from '../../store/connection/session.js';
import { handoverMigrations } from '../../store/handover.js';
import { createCheck, type Finding } from './finding.js';

const withinMs = 10_000;
const reachable = createCheck('database', 'DATABASE_URL');
const tables = createCheck('database', 'tables');

/** The Postgres of DATABASE_URL, in a transaction that can only read. */
export async function* checkDatabase(url: string): AsyncGenerator<Finding> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'handover doctor',
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
  });
  client.on('error', () => {}); // the running query rejects with the same error
  try {
    await client.connect();
    // not as a setting of the connection: some poolers refuse it, others would leave it set for the next client
    await client.query('begin transaction read only');
    const { rows } = await client.query<{ version: string; secure: boolean; may_create: boolean }>(`
      select current_setting('server_version') as version,
        coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as secure,
        has_schema_privilege(current_schema(), 'CREATE') as may_create`);
    const [server] = rows;
    yield reachable.ok(`Postgres ${server?.version}${server?.secure ? ', over TLS' : ''}`);
    yield* checkMigrations(client, server?.may_create === true);
    await client.query('rollback');
    yield* checkNotifications(url, client);
  } catch (error) {
    const code = databaseErrorCode(error);
    yield reachable.fail(`cannot be used (${code})`, {
      todo: 'check its address, user and password, and that it runs',
    });
  } finally {
    await client.end().catch(() => {});
  }
}

/** Whether a notification arrives in another session; leaves nothing in the database. */
async function* checkNotifications(url: string, client: pg.Client): AsyncGenerator<Finding> {
  const check = createCheck('database', 'sessions');
  const arrive = await notificationsArrive({
    session: () => openServerSession(url),
    notify: async (channel) => void (await client.query("select pg_notify($1, '')", [channel])),
  });
  if (arrive) yield check.ok('notifications arrive');
  else
    yield check.warn('a pooler in transaction mode stands before it: notifications do not arrive', {
      todo: 'give DATABASE_URL a direct connection or session pooling; as it is, the relay polls, changed cars show later in other processes, and another relay takes over 12 s after a killed one instead of within a second',
    });
}

async function* checkMigrations(client: pg.Client, mayCreate: boolean): AsyncGenerator<Finding> {
  const journal = await readFile(join(handoverMigrations(), 'meta/_journal.json'), 'utf8');
  const known = (JSON.parse(journal) as { entries: { when: number }[] }).entries.map(({ when }) => when);
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  );
  const applied = found[0]?.there
    ? (await client.query<{ at: string }>('select created_at as at from drizzle.__drizzle_migrations')).rows
    : [];
  const newest = Math.max(0, ...applied.map(({ at }) => Number(at)));
  const missing = known.filter((when) => when > newest).length;
  if (missing === 0) {
    if (newest > Math.max(...known))
      yield tables.warn('a newer release has added to them, which this one tolerates', {
        todo: 'after a return to this release nothing (docs/deploying.md, "Rollout and rollback"); otherwise run the doctor of the newer release',
      });
    else yield tables.ok(`up to date (${known.length} migrations)`);
    yield* checkUnreadCallbacks(client);
    return;
  }
  const text = applied.length === 0 ? 'none yet' : `${missing} migration(s) behind`;
  if (mayCreate) yield tables.warn(`${text}; the next start of a worker or api brings them up to date`);
  else
    yield tables.fail(`${text}, and the user may not create tables`, {
      todo: 'grant CREATE on the schema, or migrate as another user',
    });
}

/** What callbacks already show of the profile (G01, G02, G28-G30): those that it could not read (L63). */
async function* checkUnreadCallbacks(client: pg.Client): AsyncGenerator<Finding> {
  const check = createCheck('wire profile', 'stored callbacks');
  const { rows } = await client.query<{ invalid: number }>(`
    select count(*)::integer as invalid from (select 1 from inbox where verdict = 'invalid' limit 1000) as found`);
  const invalid = rows[0]?.invalid ?? 0;
  if (invalid === 0) yield check.ok('none that the profile could not read');
  else
    yield check.warn(`${invalid === 1_000 ? '1,000 or more' : invalid} that the profile could not read`, {
      todo: 'GET /api/inbox?verdict=invalid shows which fields cannot be read (G01, G02, G29, G30); fix the wire profile, then replay them',
    });
}
