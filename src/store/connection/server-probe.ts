import { Socket } from 'node:net';
import pg from 'pg';

/**
 * Probes the server at `url` over a separate connection, which no other statement can occupy. A refusal counts as an answer
 * too (no further connection is free).
 * @throws where no answer comes within `withinMs`
 */
export async function probeServer(url: string, withinMs: number): Promise<void> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
    stream: () => socket,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    await client.end();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
  } finally {
    socket.destroy();
  }
}
