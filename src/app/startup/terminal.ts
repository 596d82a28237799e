import { type BannerFacts, banner, readyLine } from './banner.js';
import { printLine } from './until-stopped.js';

type Facts = Omit<BannerFacts, 'readyAfterMs'>;

/** What `handover up` writes to its terminal about the start and about Temporal: the box, each outage, and its end. */
export class Terminal {
  private isAway = false;
  private hasBox = false;

  /** @param receiver where callbacks are accepted */
  constructor(
    private readonly facts: Facts,
    private readonly receiver: string,
    private readonly write: (line: string) => void = printLine,
  ) {}

  /** Called once per outage. The box does not wait for a Temporal that is unreachable at the start. */
  unreachable(reason: string): void {
    this.isAway = true;
    this.write(
      `  Temporal at ${this.facts.temporalAddress} cannot be used (${reason}). Callbacks are accepted on ${this.receiver}; all else waits for it.`,
    );
    if (!this.hasBox) this.box(undefined);
  }

  /** Called at each connection. */
  connected(): void {
    if (this.isAway) this.write(`  Temporal at ${this.facts.temporalAddress} is connected.`);
    this.isAway = false;
  }

  /** Everything runs. @param afterMs since the start */
  ready(afterMs: number): void {
    if (this.hasBox) this.write(readyLine(afterMs));
    else this.box(afterMs);
  }

  private box(readyAfterMs: number | undefined): void {
    this.hasBox = true;
    this.write(banner({ ...this.facts, readyAfterMs }));
  }
}
