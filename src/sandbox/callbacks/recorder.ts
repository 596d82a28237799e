import type { Logger } from 'pino';
import type { Instant } from '../../platform/model.js';
import {
  type AttemptResult,
  acknowledgeRegistrations,
  type CallbackRow,
  recordAttempts,
} from '../store/outbox.js';
import type { SandboxDb } from '../store/store.js';

export interface Recorder {
  add(callback: CallbackRow, result: AttemptResult): void;
  /** Everything added so far is in the database when it resolves. */
  untilWritten(): Promise<void>;
}

/**
 * Writes the results of attempts: at once when no write is running, else in one batch after it.
 * The next callback does not wait for it: a run that ends before the write sends again, under the same `webhook-id`.
 */
export function openRecorder(db: SandboxDb, logger: Logger, onRetryPlanned: (at: Instant) => void): Recorder {
  let waiting: { callback: CallbackRow; result: AttemptResult }[] = [];
  let writing: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await write(batch);
      } catch (error) {
        const { name } = error as Error;
        logger.error({ attempts: batch.length, error: name }, 'callback attempts not recorded');
      }
    }
    writing = null;
  }

  async function write(batch: typeof waiting): Promise<void> {
    const results = batch.map(({ result }) => result);
    const registered = batch
      .filter(({ callback, result }) => callback.kind === 'registration' && result.state === 'acknowledged')
      .map(({ callback }) => callback.reservationId);
    await db.transaction(async (tx) => {
      await recordAttempts(tx, results);
      await acknowledgeRegistrations(tx, registered);
    });
    for (const { nextAt } of results) if (nextAt !== null) onRetryPlanned(nextAt);
  }

  return {
    add(callback, result) {
      waiting.push({ callback, result });
      writing ??= writeAll();
    },
    untilWritten: () => writing ?? Promise.resolve(),
  };
}
