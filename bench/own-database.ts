import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { removeOnSignal } from './signals.js';

/** The server for databases of the bench. @param who needs it @throws Error where none is set */
export function databaseServer(who: string): string {
  const url = process.env.HANDOVER_TEST_DATABASE_URL;
  if (url !== undefined && url !== '') return url;
  throw new Error(
    `${who} needs HANDOVER_TEST_DATABASE_URL, the address of a Postgres server on which it can create databases, ` +
      'such as postgres://user:password@host:5432/postgres',
  );
}

/** Creates a database on the server at `url` and drops it when `use` has ended. @param kind prefix of its name */
export async function withDatabase<T>(
  url: string,
  kind: string,
  use: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  const name = `${kind}_bench_${randomUUID().replaceAll('-', '')}`;
  const admin = async (statement: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await admin(`create database ${name}`);
  let dropped: Promise<void> | undefined;
  const drop = () => {
    dropped ??= admin(`drop database ${name} with (force)`);
    return dropped;
  };
  const forget = removeOnSignal(drop);
  const own = new URL(url);
  own.pathname = `/${name}`;
  try {
    return await use(own.href);
  } finally {
    await drop();
    forget();
  }
}

export interface ServerSettings {
  version: string;
  fsync: string;
  synchronousCommit: string;
}

export async function settingsOf(url: string): Promise<ServerSettings> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const read = async (name: string) => {
    const { rows } = await client.query('select current_setting($1) as value', [name]);
    return String(rows[0]?.value);
  };
  const settings = {
    version: await read('server_version'),
    fsync: await read('fsync'),
    synchronousCommit: await read('synchronous_commit'),
  };
  await client.end();
  return settings;
}
