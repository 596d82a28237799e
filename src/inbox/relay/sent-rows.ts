import type { ReadRow } from '../../store/callbacks/types.js';

/** So many are marked at once, however short a time they have waited. */
const most = 100;

/** When its signal was accepted (an instant). */
type SentRow = ReadRow & { at: number };

/**
 * Rows that the engine has and that are still `received`. Most have their verdict within moments, and need no mark then; what has none
 * after a while is marked `sent`. A process that ends before leaves them to the next relay, which sends them again: the workflow
 * knows their ids.
 */
export class SentRows {
  private readonly unmarked = new Map<number, SentRow>();
  private marking: Promise<void> | null = null;

  /** @param mark gives rows that have no verdict the state `sent` */
  constructor(
    private readonly mark: (rows: ReadRow[], at: number) => Promise<void>,
    private readonly afterMs: number,
  ) {}

  add(rows: readonly ReadRow[], at: number): void {
    for (const row of rows) this.unmarked.set(row.id, { ...row, at });
  }

  /** Not to be sent again. */
  get rows(): ReadRow[] {
    return [...this.unmarked.values()];
  }

  /** Marks all as soon as the oldest has waited long enough, or too many wait. @throws what the database throws: they stay */
  async markDue(now: number): Promise<void> {
    const [oldest] = this.unmarked.values();
    if (oldest === undefined || this.marking !== null) return;
    if (now - oldest.at >= this.afterMs || this.unmarked.size >= most) await this.markAll();
  }

  async markAll(): Promise<void> {
    await this.marking?.catch(() => {});
    this.marking = this.markNow().finally(() => {
      this.marking = null;
    });
    await this.marking;
  }

  private async markNow(): Promise<void> {
    const rows = [...this.unmarked.values()];
    const [oldest] = rows;
    if (oldest === undefined) return;
    await this.mark(rows, oldest.at);
    for (const row of rows) if (this.unmarked.get(row.id) === row) this.unmarked.delete(row.id);
  }
}
