import { setTimeout as sleep } from 'node:timers/promises';
import { deferred } from '../../domain/shared/deferred.js';
import type { Session } from './session.js';

/** Listens for as long as it runs. */
export interface Listener {
  /** Opens the session again, where notifications do not arrive on this one. */
  reopen(): void;
  stop(): Promise<void>;
}

/**
 * Calls the function of a channel with the payload of each notification. A session that is lost is opened again; what was notified
 * until then is missed.
 * @param onOpened called whenever it listens again
 */
export function keepListening(
  session: () => Promise<Session>,
  channels: Readonly<Record<string, (payload: string) => void>>,
  {
    onOpened,
    onFailed,
    againMs = 1_000,
  }: { onOpened(): void; onFailed(error: unknown): void; againMs?: number },
): Listener {
  const stopping = new AbortController();
  let reopen = () => {};

  async function listen(): Promise<void> {
    const { promise: ended, resolve } = deferred();
    reopen = resolve;
    const connection = await session();
    try {
      for (const [channel, onNotify] of Object.entries(channels)) await connection.listen(channel, onNotify);
      onOpened();
      if (!stopping.signal.aborted) await Promise.race([connection.lost, ended]);
    } finally {
      await connection.close();
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await listen().catch(onFailed);
      await sleep(againMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    reopen: () => reopen(),
    async stop() {
      stopping.abort();
      reopen();
      await running;
    },
  };
}
