import type { ClientBase } from 'pg';

/** Settings of Postgres by name, in milliseconds; 0: no limit. */
export type ServerLimits = Readonly<Record<string, number>>;

/**
 * The statement that sets time limits in place of those of a role, a database or the whole server. It leaves out what this
 * server does not know: `idle_session_timeout` came with Postgres 14, `transaction_timeout` with 17.
 * @param isLocal for the present transaction alone
 */
export function setLimits(limits: ServerLimits, isLocal: boolean): string {
  const wanted = Object.entries(limits).map(([name, ms]) => `('${name}', '${ms}')`);
  return `select set_config(name, ms, ${isLocal})
    from (values ${wanted.join(', ')}) as limits(name, ms) join pg_settings using (name)`;
}

/** Those of these limits that apply to the connection, for a message; null: none does. */
export async function readLimits(client: ClientBase, limits: ServerLimits): Promise<string | null> {
  const { rows } = await client.query<{ limits: string | null }>(
    `select string_agg(name || ' = ' || current_setting(name), ', ' order by name) as limits
     from pg_settings where name = any($1) and setting <> '0'`,
    [Object.keys(limits)],
  );
  return rows[0]?.limits ?? null;
}
