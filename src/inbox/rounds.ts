import type { Logger } from 'pino';
import { databaseErrorCode } from '../store/connection/errors.js';
import { engineCode } from '../temporal/connection/unavailable.js';
import type { Duty } from './relay/duty.js';
import { WakeUp } from './relay/wake-up.js';

/** The longest wait after a round that failed, was cut short, or could not begin. */
const againAfterMs = 30_000;

/** Repeats work in rounds, one after the other, the first at once; a failed round is logged. */
export class Rounds implements Duty {
  private readonly nap = new WakeUp();
  private loop: Promise<void> | null = null;
  private stopping = false;
  private failing = false;

  /**
   * @param round ends early once `isStopping` returns true
   * @param mayRun whether a round may run; absent: always
   */
  constructor(
    private readonly options: {
      name: string;
      round: (isStopping: () => boolean) => Promise<void>;
      everyMs: number;
      mayRun?: () => boolean;
      log: Logger;
    },
  ) {}

  start(): void {
    this.loop ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.nap.call();
    await this.loop;
  }

  private async run(): Promise<void> {
    const { round, everyMs, mayRun = () => true } = this.options;
    while (!this.stopping) {
      let isDone = false;
      if (mayRun())
        await round(() => this.stopping || !mayRun()).then(
          () => {
            // one that lost its right was cut short
            isDone = mayRun();
            this.failing = false;
          },
          (error) => this.reportFailure(error),
        );
      if (!this.stopping) await this.nap.wait(isDone ? everyMs : Math.min(everyMs, againAfterMs));
    }
  }

  /** Logs once, not at every round, and not what was closed under a round that is stopping. */
  private reportFailure(error: unknown): void {
    if (this.failing || this.stopping) return;
    this.failing = true;
    const { log, name } = this.options;
    const code = engineCode(error) ?? databaseErrorCode(error);
    log.error({ code }, `${name}: failed; it is tried again`);
  }
}
