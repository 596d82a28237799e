import { log, patched } from '@temporalio/workflow';
import type { Carried, CaseFile, RecordInput } from '../../src/contract/reservation.js';
import { EntryNumbers } from '../../src/domain/reservation/entry-identity.js';
import type { EventVerdict, ListRow, TimelineEntry } from '../../src/domain/reservation/index.js';
import { jitter } from '../shared/backoff.js';
import { database, retriedDatabase } from '../shared/proxies.js';

const writeAgainAfterMs = 10_000;
/** What one retried write holds at most: its input stands in the history. */
const part = { verdicts: 500, entries: 200 } as const;
/** What may wait before no further action is accepted. A run hands it to the next in one payload (2 MB at most). */
const most = { rows: 1_000, letters: 500_000 } as const;
const seldomLarge = 100;

type Waiting = Carried['unrecorded'];

/**
 * What a reservation leaves in the database: verdicts and entries of its timeline, and at last its case file. Each write is tried
 * once by a local activity, which costs no history and holds the workflow task for two seconds at most. Where that fails, a
 * regular activity retries it beside everything else, and what comes meanwhile waits for its end.
 */
export class Rows {
  /** In a write that is retried; what has come since waits in `unrecorded`. */
  private retried: Waiting = { verdicts: [], entries: [] };
  private readonly numbers = new EntryNumbers();
  private readonly retries = new Set<'rows' | 'file'>();
  /** Asked once a run, at its first failed write: one that began under 0.2.0 tries again every ten seconds. */
  private mayRetry: boolean | undefined;

  constructor(
    private readonly reservationId: number,
    /** What is not in the database yet. */
    private unrecorded: Waiting,
    private readonly on: {
      /** What lists show now. */
      row(): ListRow;
      /** These entries were written where operations want to be notified of attention items. */
      onPosts(entries: TimelineEntry[]): void;
      /** A retried write has ended. */
      retried(): void;
      /** To be called again at this instant. */
      writeLater(writeAt: number): void;
    },
  ) {}

  /** All that is not known to be in the database. */
  get rest(): Waiting {
    return joined(this.retried, this.unrecorded);
  }

  get waiting(): number {
    return count(this.retried) + count(this.unrecorded);
  }

  /** Rows wait, and no write of them is retried. */
  get mayRecord(): boolean {
    return !this.retries.has('rows') && this.waiting > 0;
  }

  /** All is written but the case file, and no write of that one is retried. */
  get mayFile(): boolean {
    return this.retries.size === 0 && this.waiting === 0;
  }

  /** As much waits as one run can hand to the next. */
  get isFull(): boolean {
    const { waiting } = this;
    if (waiting < seldomLarge) return false;
    return waiting >= most.rows || JSON.stringify(this.rest).length >= most.letters;
  }

  addVerdict(verdict: EventVerdict): void {
    this.unrecorded.verdicts.push(verdict);
  }

  addEntries(entries: TimelineEntry[]): void {
    this.unrecorded.entries.push(...entries.map((entry) => this.numbers.number(entry)));
  }

  /** Writes all verdicts and entries that wait, or has them retried. */
  async record(): Promise<void> {
    const rows = this.unrecorded;
    this.unrecorded = { verdicts: [], entries: [] };
    try {
      const recorded = await database.record.executeWithOptions({ summary: summaryOf(rows.entries) }, [
        this.inputOf(rows),
      ]);
      if (recorded?.posts === true) this.on.onPosts(rows.entries);
    } catch {
      log.warn('rows are not recorded yet; they will be retried', { entries: rows.entries.length });
      this.unrecorded = joined(rows, this.unrecorded);
      this.retry('rows', () => this.recordFirst());
    }
  }

  /** Writes the case file; false where that failed: it is retried, and this is to be called again. */
  async file(file: CaseFile): Promise<boolean> {
    try {
      await database.closeCase.executeWithOptions({ summary: 'closed' }, [file]);
      return true;
    } catch {
      log.warn('the case file is not written yet; it will be retried');
      const options = { summary: 'closed' };
      this.retry('file', () => retriedDatabase.closeCase.executeWithOptions(options, [file]));
      return false;
    }
  }

  private retry(what: 'rows' | 'file', write: () => Promise<void>): void {
    this.mayRetry ??= patched('rows-are-retried-beside');
    if (!this.mayRetry) {
      this.on.writeLater(Date.now() + writeAgainAfterMs);
      return;
    }
    this.retries.add(what);
    void write()
      // an operator ended the activity
      .catch(() => this.on.writeLater(Date.now() + Math.round(writeAgainAfterMs * jitter())))
      .then(() => {
        this.retries.delete(what);
        this.on.retried();
      });
  }

  /** The oldest rows, tried until the database accepts them. */
  private async recordFirst(): Promise<void> {
    const { verdicts, entries } = this.unrecorded;
    const rows = { verdicts: verdicts.splice(0, part.verdicts), entries: entries.splice(0, part.entries) };
    this.retried = rows;
    try {
      const options = { summary: summaryOf(rows.entries) };
      const recorded = await retriedDatabase.record.executeWithOptions(options, [this.inputOf(rows)]);
      if (recorded?.posts === true) this.on.onPosts(rows.entries);
    } catch (error) {
      this.unrecorded = joined(rows, this.unrecorded);
      throw error;
    } finally {
      this.retried = { verdicts: [], entries: [] };
    }
  }

  private inputOf(rows: Waiting): RecordInput {
    return { reservationId: this.reservationId, ...rows, row: this.on.row() };
  }
}

function count({ verdicts, entries }: Waiting): number {
  return verdicts.length + entries.length;
}

function joined(first: Waiting, then: Waiting): Waiting {
  return {
    verdicts: [...first.verdicts, ...then.verdicts],
    entries: [...first.entries, ...then.entries],
  };
}

/** What happened, for Temporal UI. A server takes 400 bytes at most, encrypted: 80 letters of any script. */
function summaryOf(entries: TimelineEntry[]): string {
  const text = entries.map((entry) => entry.text).join(' ');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
