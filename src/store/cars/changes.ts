import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { databaseErrorCode } from '../connection/errors.js';
import type { Session } from '../connection/session.js';

/** Notified after a write on a car by any process. */
export const carsChannel = 'handover_cars';

/** Receives notifications of writes by other processes, for as long as it runs. */
export interface Changes {
  stop(): Promise<void>;
}

/**
 * Calls `onChange` at every write on a car, and whenever one may have been missed. A lost session is opened again; until
 * then cached answers expire by their age alone.
 */
export function watchChanges(
  session: () => Promise<Session>,
  onChange: () => void,
  { log, againMs = 1_000 }: { log: Pick<Logger, 'warn'>; againMs?: number },
): Changes {
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));

  async function listen(): Promise<void> {
    const connection = await session();
    try {
      await connection.listen(carsChannel, onChange);
      onChange();
      await Promise.race([connection.lost, stopped]);
    } finally {
      await connection.close();
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await listen().catch((error: unknown) =>
        log.warn({ code: databaseErrorCode(error) }, 'changes of cars are not received'),
      );
      await sleep(againMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
