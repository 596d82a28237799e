import { log, patched } from '@temporalio/workflow';
import type { CaseFile, PersonNamed, RecordInput, UnstoredRows } from '../../src/contract/reservation.js';
import { eachOnce, unstoredOf, withPersons } from '../../src/contract/unstored-rows.js';
import { EntryNumbers } from '../../src/domain/reservation/entry-identity.js';
import type { EventVerdict, ListRow, TimelineEntry } from '../../src/domain/reservation/index.js';
import { jitter } from '../shared/backoff.js';
import { database, retriedDatabase } from '../shared/proxies.js';
import { countRows, joinRows, notIn, without } from './unstored-rows.js';

const writeAgainAfterMs = 10_000;
/** The most rows of one retried write: its input is stored in the history. */
const mostPerWrite = { verdicts: 500, entries: 200 } as const;
/** With this much waiting, no further action is accepted. A run passes it to the next in one payload (2 MB at most). */
const mostCarried = { rows: 1_000, characters: 500_000 } as const;
/** Fewer rows are never too large: their size is not computed. */
const sizedFromRows = 100;

/**
 * Writes a reservation's rows to the database: verdicts and timeline entries, and at last the case file. Each write is tried once by a
 * local activity, or directly by the worker (`WritesRowsDirectly`), for two seconds while the workflow task waits. Where that
 * fails, a regular activity retries it beside everything else, and newer rows wait until it has ended.
 */
export class Rows {
  /** Rows of the write that is being retried; newer ones wait in `unrecorded`. */
  private retried: UnstoredRows = { verdicts: [], entries: [] };
  private readonly numbers = new EntryNumbers();
  private isRetryDue = false;
  private readonly retries = new Set<'rows' | 'file'>();
  /** Decided once a run, at its first failed write: a run that began under 0.2.0 retries every ten seconds. */
  private mayRetry: boolean | undefined;

  constructor(
    private readonly reservationId: number,
    /** Rows that are not in the database yet. */
    private unrecorded: UnstoredRows,
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
    /** The run's workers accept rows directly: of its start, or of the latest answer of `record`. */
    private isDirect = false,
  ) {}

  /** All rows that are not known to be in the database. */
  get rest(): UnstoredRows {
    return joinRows(this.retried, this.unrecorded);
  }

  get waiting(): number {
    return countRows(this.retried) + countRows(this.unrecorded);
  }

  /** Rows wait, and no write of rows is being retried. */
  get mayRecord(): boolean {
    return !this.retries.has('rows') && this.waiting > 0;
  }

  /** Verdicts wait, and the run may write them while a request is out. */
  get mayRecordWhileOut(): boolean {
    return this.isDirect && this.unrecorded.verdicts.length > 0 && this.mayRecord;
  }

  /** Everything but the case file is written, and no write of the case file is being retried. */
  get mayFile(): boolean {
    return this.retries.size === 0 && this.waiting === 0;
  }

  /** As much waits as one run can pass to the next. */
  get isFull(): boolean {
    const { waiting } = this;
    if (waiting < sizedFromRows) return false;
    return waiting >= mostCarried.rows || JSON.stringify(this.rest).length >= mostCarried.characters;
  }

  /** @param persons whom its event named */
  addVerdict(verdict: EventVerdict, persons: readonly PersonNamed[] = []): void {
    this.unrecorded.verdicts.push(verdict);
    if (persons.length > 0)
      this.unrecorded.persons = eachOnce([...(this.unrecorded.persons ?? []), ...persons]);
  }

  addEntries(entries: TimelineEntry[]): void {
    this.unrecorded.entries.push(...entries.map((entry) => this.numbers.number(entry)));
  }

  /** Writes all verdicts and entries that wait; where that fails, or failed before, starts the retries. */
  async record(): Promise<void> {
    if (this.isRetryDue) {
      this.isRetryDue = false;
      return this.retryRows();
    }
    const rows = this.unrecorded;
    this.unrecorded = { verdicts: [], entries: [] };
    const input = this.inputOf(rows);
    try {
      const options = { summary: summaryOf(rows.entries) };
      const recorded = await database.record.executeWithOptions(options, [input]);
      this.isDirect = recorded?.direct === true;
      if (recorded?.posts === true) this.on.onPosts(rows.entries);
    } catch {
      log.warn('rows are not recorded yet; they will be retried', { entries: rows.entries.length });
      this.unrecorded = joinRows(unstoredOf(input), this.unrecorded);
      this.retryRows();
    }
  }

  /** Rows that were passed to the worker are not in the database after all: the next write is retried. The worker may send them twice. */
  receiveReturned(rows: UnstoredRows): void {
    log.warn('rows were returned; they will be retried', { entries: rows.entries.length });
    this.unrecorded = joinRows(without(this.rest, rows), this.unrecorded);
    this.isRetryDue = true;
  }

  /** Writes the case file. False where that failed: the retries have started, and the caller calls this method again. */
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

  private retryRows(): void {
    this.retry('rows', () => this.recordFirst());
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
    const { verdicts, entries, persons = [] } = this.unrecorded;
    const rows: UnstoredRows = {
      verdicts: verdicts.splice(0, mostPerWrite.verdicts),
      entries: entries.splice(0, mostPerWrite.entries),
    };
    withPersons(rows, persons);
    this.unrecorded = { verdicts, entries };
    this.retried = rows;
    const input = this.inputOf(rows);
    try {
      const options = { summary: summaryOf(rows.entries) };
      const recorded = await retriedDatabase.record.executeWithOptions(options, [input]);
      if (recorded?.posts === true) this.on.onPosts(rows.entries);
    } catch (error) {
      this.unrecorded = joinRows(unstoredOf(input), this.unrecorded);
      throw error;
    } finally {
      this.retried = { verdicts: [], entries: [] };
    }
  }

  private inputOf({ verdicts, entries, persons = [] }: UnstoredRows): RecordInput {
    const row = this.on.row();
    const input: RecordInput = { reservationId: this.reservationId, verdicts, entries, row };
    return withPersons(input, notIn(row, persons));
  }
}

/** What happened, for Temporal UI. A server accepts 400 bytes at most, encrypted: 80 letters of any script. */
function summaryOf(entries: TimelineEntry[]): string {
  const text = entries.map((entry) => entry.text).join(' ');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
