import { randomUUID } from 'node:crypto';
import pg from 'pg';

export interface ServerDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Creates an empty database on the Postgres server at `url`. */
export function createOnServer(url: string): Promise<ServerDatabase> {
  return administer(url, (admin) => created(url, admin, ''));
}

/**
 * Creates a database on the Postgres server at `url` as a copy of a template. The first caller creates and fills the
 * template; it stays on the server.
 * @param name of the template; another one for other content
 */
export function copyOnServer(
  url: string,
  name: string,
  fill: (url: string) => Promise<void>,
): Promise<ServerDatabase> {
  return administer(url, async (admin) => {
    await admin.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      const { url: filled } = await created(url, admin, '', `${name}_unfinished`);
      await fill(filled);
      await admin.query(`alter database ${name}_unfinished rename to ${name}`);
    }
    return created(url, admin, `template ${name}`);
  });
}

async function created(
  url: string,
  admin: pg.Client,
  options: string,
  name = `handover_test_${randomUUID().replaceAll('-', '')}`,
): Promise<ServerDatabase> {
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.query(`create database ${name} ${options}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const drop = (client: pg.Client) => client.query(`drop database if exists ${name} with (force)`);
  return { url: own.href, drop: async () => void (await administer(url, drop)) };
}

async function administer<T>(url: string, act: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    return await act(admin);
  } finally {
    await admin.end();
  }
}
