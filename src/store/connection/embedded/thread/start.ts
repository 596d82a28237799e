import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { DatabaseLog } from '../../database.js';
import { DatabaseError, databaseErrorCode } from '../../errors.js';
import { watchForHang } from '../../watch-for-hang.js';
import { within } from '../../within.js';
import type { EmbeddedClient, EmbeddedOptions, OnNotification } from '../client.js';
import { connect } from './connect.js';

const program = new URL('./program.js', import.meta.url);
/** A statement that takes longer hangs: the thread is ended, and Postgres recovers what was committed. No statement of ours takes as long. */
const hangsMs = 60_000;
/** A recovery reads the whole write-ahead log. */
const opensWithinMs = 300_000;
const closesWithinMs = 10_000;

/**
 * Opens PGlite in a thread of its own: statements keep no other thread waiting. A thread that ends or hangs has `ended`.
 * @throws what PGlite throws, or the error with which the thread failed
 */
export async function startThread(
  options: EmbeddedOptions,
  onNotification: OnNotification,
  log?: DatabaseLog,
): Promise<EmbeddedClient> {
  const worker = new Worker(program, { name: 'database', workerData: options });
  const share = (): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    worker.postMessage(port1, [port1]);
    return port2;
  };
  const port = share();
  const client = connect(port, onNotification);
  worker.on('error', (error) =>
    log?.error({ code: databaseErrorCode(error) }, 'the thread of the database failed'),
  );
  const opened = client.ping().catch((error: unknown) => {
    throw error instanceof DatabaseError ? threadEndedError() : error;
  });
  try {
    await within(opensWithinMs, opened, notInTimeError);
  } catch (error) {
    // a thread that waits for its disk ends only after that
    log?.error({ code: databaseErrorCode(error) }, 'the thread of the database did not open it');
    await worker.terminate();
    throw error;
  }
  let stopWatching = () => {};
  // only then may another one open the folder
  const ended = client.ended.then(async () => {
    stopWatching();
    await worker.terminate();
  });
  return {
    ...client,
    ended,
    share,
    watch() {
      stopWatching = watchForHang(latenessOf(client.ping), () => {
        log?.error({}, 'the thread of the database hangs: it is ended');
        // what waits fails now: a thread that waits for its disk ends only after that
        port.close();
      });
    },
    close: () => within(closesWithinMs, client.close()).finally(() => worker.terminate()),
  };
}

const notInTimeError = () =>
  new DatabaseError(
    'DATABASE_UNREACHABLE',
    'the embedded database did not open within five minutes; check the disk of the data folder, and start again',
  );

/** Its data are not to blame. */
function threadEndedError(): DatabaseError {
  return new DatabaseError(
    'DATABASE_SILENT',
    'the thread of the embedded database ended before the database was open; check the log for its error, and the memory',
  );
}

/** @returns asks, and says whether it has had no answer for too long */
function latenessOf(ping: () => Promise<void>): () => boolean {
  let askedAt: number | undefined;
  const answered = () => {
    askedAt = undefined;
  };
  return () => {
    const now = performance.now();
    if (askedAt === undefined) {
      askedAt = now;
      ping().then(answered, answered);
    }
    return now - askedAt > hangsMs;
  };
}
