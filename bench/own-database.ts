import { randomUUID } from 'node:crypto';
import pg from 'pg';

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
