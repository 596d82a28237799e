import { log } from '@temporalio/workflow';
import type { Carried, CaseFile } from '../src/contract/reservation.js';
import type { EventVerdict, TimelineEntry } from '../src/lifecycle/index.js';
import { database } from './proxies.js';

const writeAgainAfterMs = 10_000;

/** What a reservation leaves in the database: verdicts and lines of its timeline, and at last its case file. */
export class Rows {
  constructor(
    private readonly reservationId: number,
    /** What the database has not taken yet. */
    private unrecorded: Carried['unrecorded'],
    /** Told which lines were written where operations want to be told of attention items. */
    private readonly onPosts: (entries: TimelineEntry[]) => void,
    /** Told when to write again what was not taken (instant). */
    private readonly onPutOff: (writeAt: number) => void,
  ) {}

  get rest(): Carried['unrecorded'] {
    return this.unrecorded;
  }

  get waiting(): number {
    return this.unrecorded.verdicts.length + this.unrecorded.entries.length;
  }

  addVerdict(verdict: EventVerdict): void {
    this.unrecorded.verdicts.push(verdict);
  }

  addEntries(entries: TimelineEntry[]): void {
    this.unrecorded.entries.push(...entries);
  }

  /** Writes verdicts and timeline. */
  async record(): Promise<void> {
    const { verdicts, entries } = this.unrecorded;
    this.unrecorded = { verdicts: [], entries: [] };
    try {
      const rows = { reservationId: this.reservationId, verdicts, entries };
      const recorded = await database.record.executeWithOptions({ summary: summaryOf(entries) }, [rows]);
      if (recorded?.posts === true) this.onPosts(entries);
    } catch {
      log.warn('timeline not recorded yet; will be tried again', { entries: entries.length });
      const later = this.unrecorded;
      this.unrecorded = {
        verdicts: [...verdicts, ...later.verdicts],
        entries: [...entries, ...later.entries],
      };
      this.onPutOff(Date.now() + writeAgainAfterMs);
    }
  }

  /** Writes the case file; false where it was not taken. */
  async file(file: CaseFile): Promise<boolean> {
    try {
      await database.closeCase.executeWithOptions({ summary: 'closed' }, [file]);
      return true;
    } catch {
      log.warn('case file not written yet; will be tried again');
      this.onPutOff(Date.now() + writeAgainAfterMs);
      return false;
    }
  }
}

/** What happened, for Temporal UI. A server takes 400 bytes at most, encrypted: 80 letters of any script. */
function summaryOf(entries: TimelineEntry[]): string {
  const text = entries.map((entry) => entry.text).join(' ');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
