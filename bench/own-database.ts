import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** `apart`: a server too, and callbacks have a port and a thread of their own (CALLBACK_PORT). */
const databases = ['pglite', 'postgres', 'apart'] as const;
export type Database = (typeof databases)[number];

/** @throws Error with the usage where one does not exist */
export function databasesOf(text: string, usage: string): Database[] {
  return text.split(',').map((name) => {
    const known = databases.find((one) => one === name);
    if (known === undefined)
      throw new Error(`--databases are ${databases.join(', ')}, not ${name}\n${usage}`);
    return known;
  });
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
  const own = new URL(url);
  own.pathname = `/${name}`;
  try {
    return await use(own.href);
  } finally {
    await admin(`drop database ${name} with (force)`);
  }
}
