import type { ClientBase } from 'pg';

/**
 * The server process of this connection; null behind a pooler, which names itself instead of the server process when a
 * connection starts.
 */
export async function readBackend(client: ClientBase): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { processID } = client as unknown as { processID: number | null };
  const pid = rows[0]?.pid;
  return pid !== undefined && pid === processID ? pid : null;
}
