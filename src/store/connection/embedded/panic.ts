import type { PGlite } from '@electric-sql/pglite';
import { notOpenError } from '../errors.js';

/**
 * A full disk can end PGlite with a PANIC (its write-ahead log has no room), like a server's process. A further statement would
 * then block its thread for ever. So statements fail from then on, those too that wait inside the client.
 * @returns a promise that resolves at the PANIC
 */
export function endsAtPanic(client: PGlite): Promise<void> {
  return new Promise((resolve) => {
    let isOver = false;
    const raw = client.execProtocolRawSync.bind(client);
    client.execProtocolRawSync = (message) => {
      if (isOver) throw notOpenError();
      return raw(message);
    };
    const seen = (error: { severity?: string }) => {
      if (error.severity === 'PANIC' || error.severity === 'FATAL') {
        isOver = true;
        resolve();
      }
      throw error;
    };
    const [run, stream] = [client.execProtocol.bind(client), client.execProtocolStream.bind(client)];
    client.execProtocol = (...given) => run(...given).catch(seen);
    client.execProtocolStream = (...given) => stream(...given).catch(seen);
  });
}
