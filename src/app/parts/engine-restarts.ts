import { backoffMs } from '../../domain/shared/backoff.js';
import type { DevServer } from '../../temporal/server/dev-server.js';
import { isAlive as processLives } from '../../temporal/server/process-info.js';
import type { Logger } from '../log.js';

export interface RestartOptions {
  /** Resolves with what starts the engine on its data folder, at the same ports each time. Only the start is waited for by a stop. */
  prepare: () => Promise<() => Promise<DevServer>>;
  /** Path of its log, for messages. */
  engineLog: string;
  log: Logger;
  /** One line for the person at the terminal. */
  printLine: (line: string) => void;
  isAlive?: (pid: number) => boolean;
}

const checkEveryMs = 1_000;
const waits = { firstMs: 1_000, longestMs: 8_000 };
/** An engine that ran for so long did not fail at its start. */
const soundAfterMs = 60_000;
const mostFailures = 5;

/**
 * Restarts an embedded engine that ended by itself, after 1 s, then 2, 4 and 8. All other parts of this process continue,
 * as in any outage of Temporal. Polls the process instead of waiting for a child's exit event, because an adopted engine
 * is no child of this process.
 */
export class EngineRestarts {
  /** Rejects when the engine failed five times in a row. */
  readonly failed: Promise<never>;
  private fail: (error: Error) => void = () => {};
  private timer: NodeJS.Timeout | undefined;
  private starting: Promise<unknown> = Promise.resolve();
  private failures = 0;
  private startedAt = performance.now();
  private stopped = false;

  constructor(
    private engine: DevServer,
    private readonly options: RestartOptions,
  ) {
    this.failed = new Promise<never>((_, reject) => {
      this.fail = reject;
    });
    this.failed.catch(() => {}); // it may be awaited later
    this.checkIn(checkEveryMs);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.starting.catch(() => {});
    await this.engine.stop();
  }

  private checkIn(ms: number): void {
    this.timer = setTimeout(() => this.check(), ms);
  }

  private check(): void {
    const { isAlive = processLives, printLine } = this.options;
    if (isAlive(this.engine.pid)) {
      this.checkIn(checkEveryMs);
      return;
    }
    if (performance.now() - this.startedAt >= soundAfterMs) this.failures = 0;
    const cause = `the embedded Temporal (process ${this.engine.pid}) ended by itself`;
    if (this.failures === 0) printLine(`  ${cause}. It is started again; see ${this.options.engineLog}`);
    this.handleFailure(cause);
  }

  private handleFailure(cause: string): void {
    const { engineLog, log } = this.options;
    this.failures += 1;
    log.error({ failures: this.failures, cause, engineLog }, 'the embedded Temporal does not run');
    if (this.failures >= mostFailures) {
      this.fail(new Error(`${cause}, after ${mostFailures} failures in a row; see ${engineLog}`));
      return;
    }
    this.timer = setTimeout(() => void this.restart(), backoffMs(this.failures, waits));
  }

  private async restart(): Promise<void> {
    try {
      const start = await this.options.prepare();
      if (this.stopped) return;
      this.starting = start().then((engine) => {
        this.engine = engine;
      });
      await this.starting;
      this.startedAt = performance.now();
      this.options.log.info({ pid: this.engine.pid }, 'the embedded Temporal runs again');
      this.options.printLine('  The embedded Temporal runs again.');
      if (!this.stopped) this.checkIn(checkEveryMs);
    } catch (error) {
      if (!this.stopped) this.handleFailure(error instanceof Error ? error.message : String(error));
    }
  }
}
