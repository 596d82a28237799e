import { type PGlite, protocol } from '@electric-sql/pglite';
import { notOpenError } from '../errors.js';

/** One of these is in each answer to `withPreparedStatements`: to a statement that ran, an empty one, and one that was prepared. */
const results = new Set<string>(['commandComplete', 'emptyQuery', 'parameterDescription']);

/** The first byte of a message without a statement, which PGlite sends after a `begin` or `commit`. */
const [sync] = protocol.serialize.sync();

/**
 * PGlite can end with a PANIC, like a server's process (its write-ahead log has no room), or without one (a lack of memory, a fault in
 * its code). After a PANIC a further statement would block its thread for ever. Without one its answers hold no result, which PGlite
 * takes for a statement that did its work. So statements fail from then on, those too that wait inside the client.
 * @returns a promise that resolves when it has ended
 */
export function watchForEnd(client: PGlite): Promise<void> {
  return new Promise((resolve) => {
    let isOver = false;
    const end = () => {
      isOver = true;
      resolve();
    };
    const raw = client.execProtocolRawSync.bind(client);
    client.execProtocolRawSync = (message) => {
      if (isOver) throw notOpenError();
      try {
        return raw(message);
      } catch {
        // an error of a statement is a part of the answer: this one is WebAssembly's
        end();
        throw notOpenError();
      }
    };
    const seen = (error: { severity?: string }) => {
      if (error.severity === 'PANIC' || error.severity === 'FATAL') end();
      throw error;
    };
    const [run, stream] = [client.execProtocol.bind(client), client.execProtocolStream.bind(client)];
    client.execProtocol = (...given) => run(...given).catch(seen);
    client.execProtocolStream = async (message, options) => {
      const answer = await stream(message, options).catch(seen);
      const isComplete =
        message[0] === sync || answer.findLast(({ name }) => results.has(name)) !== undefined;
      if (isComplete) return answer;
      end();
      throw notOpenError();
    };
  });
}
