import { DatabaseError } from './errors.js';
import { within } from './within.js';

export interface AvailabilityOptions {
  /** The cheapest query, over a connection that no statement can occupy. */
  probe(): Promise<unknown>;
  /** How long one statement may take, in ms. */
  answerWithinMs: number;
  /** How long to wait between two probes while the database is silent, in ms. */
  probeEveryMs?: number;
}

/** A running statement. Once the signal is aborted, its result is not awaited any more, and it must do nothing further. */
export type Statement<R> = (abandoned: AbortSignal) => Promise<R>;

/** How much longer, in ms, a long statement waits for the probe than a short one. */
const longerMs = 500;

/**
 * Circuit breaker around a database that can fall silent. A statement that has no answer after half of its time triggers a
 * probe. Where the probe gets no answer in the other half, all running statements are abandoned, and new ones fail at once,
 * until a background probe gets an answer. So a silent database delays each caller at most once, and a single slow
 * statement fails alone. An abandoned statement may still take effect: run only statements that may run twice.
 */
export class Availability {
  private silent = false;
  private closed = false;
  private timer: NodeJS.Timeout | undefined;
  private probing: Promise<boolean> | null = null;
  private readonly underWay = new Set<AbortController>();

  constructor(private readonly options: AvailabilityOptions) {}

  /** True while the database is known to be silent: statements fail at once. */
  get isSilent(): boolean {
    return this.silent;
  }

  /**
   * Runs one statement that has to be answered in time.
   * @throws `DatabaseError` `DATABASE_SILENT` without an answer in time, at once while the database is known to be silent;
   * else what the statement throws
   */
  run<R>(statement: Statement<R>): Promise<R> {
    const { answerWithinMs } = this.options;
    return this.guard(statement, { silentAfterMs: answerWithinMs, withinMs: answerWithinMs });
  }

  /**
   * Runs one statement that may take long: it fails only where the database is silent.
   * @throws as `run`
   */
  runLong<R>(statement: Statement<R>): Promise<R> {
    return this.guard(statement, { silentAfterMs: this.options.answerWithinMs + longerMs });
  }

  /** Stops the probes. */
  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private async guard<R>(
    statement: Statement<R>,
    { silentAfterMs, withinMs }: { silentAfterMs: number; withinMs?: number },
  ): Promise<R> {
    if (this.silent) throw silentError();
    const own = new AbortController();
    const abandoned = new Promise<never>((_, reject) => {
      own.signal.addEventListener('abort', () => reject(silentError()));
    });
    let isAnswered = false;
    const suspectedAfterMs = this.options.answerWithinMs / 2;
    const suspected = setTimeout(async () => {
      const lives = await within(silentAfterMs - suspectedAfterMs, this.probe()).catch(() => false);
      if (!lives && !isAnswered) this.becomeSilent();
    }, suspectedAfterMs);
    const late = withinMs === undefined ? undefined : setTimeout(() => own.abort(), withinMs);
    this.underWay.add(own);
    try {
      return await Promise.race([statement(own.signal), abandoned]);
    } finally {
      isAnswered = !own.signal.aborted;
      if (isAnswered) clearTimeout(suspected);
      clearTimeout(late);
      this.underWay.delete(own);
    }
  }

  private becomeSilent(): void {
    if (this.silent || this.closed) return;
    this.silent = true;
    for (const statement of this.underWay) statement.abort();
    this.probeLater();
  }

  private probeLater(): void {
    if (this.closed) return;
    this.timer = setTimeout(() => void this.probeAgain(), this.options.probeEveryMs ?? 500);
    this.timer.unref();
  }

  private async probeAgain(): Promise<void> {
    if (await this.probe()) this.silent = false;
    else this.probeLater();
  }

  /** One at a time. @returns whether the database answered */
  private probe(): Promise<boolean> {
    this.probing ??= within(this.options.answerWithinMs, this.options.probe())
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.probing = null;
      });
    return this.probing;
  }
}

function silentError(): DatabaseError {
  return new DatabaseError('DATABASE_SILENT', 'the database does not answer');
}
