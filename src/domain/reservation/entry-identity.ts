import { fingerprint } from '../shared/hash.js';
import type { TimelineEntry } from './types.js';

/**
 * What makes a timeline entry of one reservation the same entry wherever it is emitted again: its content. It does not depend on
 * how many entries came before, so another release, a reset, a run that starts from scratch or a Temporal restored from a backup
 * never gives it to another entry. Database rows and alert ids hold it: never change how it is made.
 *
 * An entry that happens once for its event or command has no instant in it: where that event is applied again
 * later, it is the same entry.
 */
export function identityOf(entry: Omit<TimelineEntry, 'seq'>): string {
  const { at, kind, rule, text, data, attention, nth } = entry;
  const instant = happensOnce(entry) ? null : at;
  return fingerprint([instant, kind, rule, text, data, attention ?? null, nth ?? 1]);
}

/** The reading of a callback, or the final outcome of a command: the same entry whenever it is emitted. */
export function happensOnce({ data, attention }: Pick<TimelineEntry, 'data' | 'attention'>): boolean {
  const { inboxId, commandId, outcome } = data;
  if (attention !== undefined) return false;
  if (typeof inboxId === 'number') return true;
  return typeof commandId === 'string' && (outcome === 'applied' || outcome === 'rejected');
}

/** Numbers entries of equal content at one instant: `nth` distinguishes them. */
export class EntryNumbers {
  private at: number | null = null;
  /** At this instant. Identities, not entries: it stays in memory for as long as the workflow. */
  private readonly counts = new Map<string, number>();

  /** @returns the entry, with its number where it is not the first of its content */
  number(entry: TimelineEntry): TimelineEntry {
    if (entry.at !== this.at) this.counts.clear();
    this.at = entry.at;
    const identity = identityOf(entry);
    const nth = (this.counts.get(identity) ?? 0) + 1;
    this.counts.set(identity, nth);
    return nth === 1 ? entry : { ...entry, nth };
  }
}
