import { eventually } from '../eventually.js';
import type { Run } from '../process.js';

/** Generous: a busy machine starts slowly. */
const startsWithinMs = 240_000;

/** A process of the product that is started again whenever it ends, as a process supervisor does. */
export class Supervised {
  private run: Run;
  private over = false;

  constructor(private readonly start: () => Run) {
    this.run = this.begin();
  }

  get stderr(): string {
    return this.run.stderr;
  }

  /** Waits until the process that runs then has said it. */
  async says(text: RegExp): Promise<void> {
    await eventually(`it says ${text}`, () => text.test(this.run.stdout), startsWithinMs).catch((error) => {
      this.stop();
      throw new Error(`${error.message}; it said: ${this.run.stdout}${this.run.stderr}`);
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.run.signal(signal);
  }

  /** By SIGKILL; the next one has begun. */
  kill(): Promise<void> {
    return this.run.kill();
  }

  /** Nothing is started any more. */
  stop(): void {
    this.over = true;
  }

  private begin(): Run {
    const run = this.start();
    run.ended.then(() => {
      if (!this.over) this.run = this.begin();
    });
    return run;
  }
}
