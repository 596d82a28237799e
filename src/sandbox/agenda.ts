import type { Logger } from 'pino';
import type { Instant } from '../platform/model.js';
import type { Clock } from './core/clock.js';

/** What is due at an instant: the sandbox's time rules, and callback retries. */
export interface AgendaTasks {
  /** Does everything due by now. */
  runDue(): Promise<void>;
  /** The next instant at which something falls due; null when there is none. */
  nextInstant(): Promise<Instant | null>;
}

export interface Agenda {
  /** Something falls due at `at`: wakes no later than that. */
  note(at: Instant): void;
  /**
   * Does what is due and sets the timer again: at the start, and after the clock was set. On a failure it logs the error,
   * tries again a second later, and rejects.
   */
  wake(): Promise<void>;
  close(): Promise<void>;
}

const longestTimer = 2 ** 31 - 1;
const afterFailureMs = 1000;

/** One timer for everything that falls due. It never fires late; when it fires early it is set again. */
export function openAgenda(clock: Clock, tasks: AgendaTasks, logger: Logger): Agenda {
  let timer: NodeJS.Timeout | undefined;
  let armedFor: Instant = Number.POSITIVE_INFINITY;
  let work: Promise<void> = Promise.resolve();
  let closed = false;

  function arm(at: Instant, ms = clock.realMsUntil(at)): void {
    clearTimeout(timer);
    armedFor = at;
    if (closed || ms === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(() => void wake().catch(() => {}), Math.min(Math.ceil(ms), longestTimer));
  }

  async function runIfDue(): Promise<void> {
    if (closed) return;
    armedFor = Number.POSITIVE_INFINITY;
    try {
      await tasks.runDue();
      const next = await tasks.nextInstant();
      if (next !== null && next < armedFor) arm(next);
    } catch (error) {
      logger.error({ error: (error as Error).name }, 'time rules failed; trying again');
      arm(clock.now(), afterFailureMs);
      throw error;
    }
  }

  const wake = (): Promise<void> => {
    work = work.catch(() => {}).then(runIfDue);
    return work;
  };

  return {
    note(at) {
      if (at < armedFor) arm(at);
    },
    wake,
    async close() {
      closed = true;
      clearTimeout(timer);
      await work.catch(() => {});
    },
  };
}
