import type { NotErased } from '../../store/erasure/targets.js';

/** A reservation, booking or hold: one of the ids. */
export type Named = Pick<NotErased, 'reservationId' | 'commandId' | 'holdId'>;

/** One whose erasure threw, and what. */
export type FailedErasure = Named & { error: unknown };

/** After so many in a row the rest of a step is left to the next round: what it needs is away. */
const mostInARow = 50;

/** Erases batches, and one by one where a batch fails: what always fails withholds no other, as long as it is not `mostInARow`. */
export class OneByOne<T> {
  readonly failed: FailedErasure[] = [];
  private inARow = 0;

  /** @param erase all of a batch, or nothing */
  constructor(
    private readonly erase: (batch: readonly Named[]) => Promise<T>,
    private readonly isStopping: () => boolean,
  ) {}

  get isGivenUp(): boolean {
    return this.inARow >= mostInARow;
  }

  /** @returns what `erase` returned for the batch, or for those of it that did not fail */
  async run(batch: readonly Named[]): Promise<T[]> {
    if (batch.length > 1) {
      const whole = await this.attempt(batch).catch(() => undefined);
      if (whole !== undefined) return [whole];
    }
    const done: T[] = [];
    for (const one of batch) {
      if (this.isStopping() || this.isGivenUp) break;
      try {
        done.push(await this.attempt([one]));
      } catch (error) {
        // of what is closed under it nothing has failed
        if (this.isStopping()) break;
        this.failed.push({ ...one, error });
        this.inARow += 1;
      }
    }
    return done;
  }

  private async attempt(batch: readonly Named[]): Promise<T> {
    const result = await this.erase(batch);
    this.inARow = 0;
    return result;
  }
}
