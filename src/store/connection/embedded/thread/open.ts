import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { databaseErrorCode } from '../../errors.js';
import type { EmbeddedClient, EmbeddedEvents, EmbeddedPlace } from '../client.js';
import { type Connected, connect } from './connect.js';

const beside = new URL('./program.js', import.meta.url);
/** The compiled one, also where a test runs the sources. */
const program = import.meta.url.endsWith('.ts')
  ? new URL(beside.href.replace(/^(.*)\/src\//, '$1/dist/src/'))
  : beside;
/** A statement that takes longer than this hangs: the thread is ended, and Postgres recovers what was committed. */
const hangsMs = 30_000;
const watchMs = 5_000;

export interface ThreadClient extends EmbeddedClient {
  /** A port for another thread, by which it connects. */
  share(): MessagePort;
}

/**
 * Opens PGlite in a thread of its own: statements keep no other thread waiting. A thread that ends or hangs has `ended`.
 * @throws what PGlite throws
 */
export async function openInThread(
  place: EmbeddedPlace,
  { onNotification, log }: EmbeddedEvents,
): Promise<ThreadClient> {
  const worker = new Worker(program, { name: 'database', workerData: place });
  const share = (): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    worker.postMessage(port1, [port1]);
    return port2;
  };
  const port = share();
  const client = connect(port, onNotification);
  // its end is seen by the port, which closes with it
  worker.on('error', (error) =>
    log?.error({ code: databaseErrorCode(error) }, 'the thread of the database failed'),
  );
  try {
    await client.opened();
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  const stopWatching = watchForHang(client, () => {
    log?.error({}, 'the thread of the database hangs: it is ended');
    void worker.terminate();
  });
  // only then may another one open the folder
  const ended = client.ended.then(async () => {
    stopWatching();
    await worker.terminate();
  });
  return {
    ...client,
    ended,
    share,
    async close() {
      await client.close();
      await worker.terminate();
    },
  };
}

/**
 * Twice, because the answers to a process that was stopped wait behind this timer.
 * @param hangs called once a statement takes too long
 * @returns stops it
 */
function watchForHang({ opened }: Pick<Connected, 'opened'>, hangs: () => void): () => void {
  let askedAt: number | undefined;
  let wasLate = false;
  const watch = setInterval(() => {
    const isLate = askedAt !== undefined && performance.now() - askedAt > hangsMs;
    if (isLate && wasLate) {
      clearInterval(watch);
      hangs();
    }
    wasLate = isLate;
    if (askedAt !== undefined) return;
    askedAt = performance.now();
    const answered = () => {
      askedAt = undefined;
    };
    opened().then(answered, answered);
  }, watchMs).unref();
  return () => clearInterval(watch);
}
