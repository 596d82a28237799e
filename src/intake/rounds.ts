import { databaseErrorCode } from '../db/errors.js';
import type { Logger } from '../log.js';
import type { Duty } from './one-active.js';
import { WakeUp } from './wake-up.js';

/** Something done again and again, one round after the other, the first at once; one that fails is logged. */
export class Rounds implements Duty {
  private readonly nap = new WakeUp();
  private loop: Promise<void> | null = null;
  private stopping = false;
  private failing = false;

  /** @param round ends early once `isStopping` says so */
  constructor(
    private readonly options: {
      name: string;
      round: (isStopping: () => boolean) => Promise<void>;
      everyMs: number;
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
    const { round, everyMs } = this.options;
    while (!this.stopping) {
      await round(() => this.stopping).then(
        () => {
          this.failing = false;
        },
        (error) => this.failed(error),
      );
      if (!this.stopping) await this.nap.wait(everyMs);
    }
  }

  /** Said once, not at every round. */
  private failed(error: unknown): void {
    if (this.failing) return;
    this.failing = true;
    const { log, name } = this.options;
    log.error({ code: databaseErrorCode(error) }, `${name}: failed; it is tried again`);
  }
}
