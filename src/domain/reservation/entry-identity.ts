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

/** Entries of one instant with one text: the first, and once there is another, how often each identity came. */
interface Alike {
  first: TimelineEntry;
  counts?: Map<string, number>;
}

/** Numbers entries of equal content at one instant: `nth` distinguishes them. */
export class EntryNumbers {
  private at: number | null = null;
  private readonly alike = new Map<string, Alike>();

  /** @returns the entry, with its number where it is not the first of its content */
  number(entry: TimelineEntry): TimelineEntry {
    if (entry.at !== this.at) this.alike.clear();
    this.at = entry.at;
    const { kind, rule, text } = entry;
    const shown = `${kind} ${rule} ${text}`;
    const known = this.alike.get(shown);
    // an identity costs a workflow more than all the rest here, and few entries share instant and text
    if (known === undefined) {
      this.alike.set(shown, { first: entry });
      return entry;
    }
    known.counts ??= new Map([[identityOf(known.first), 1]]);
    const identity = identityOf(entry);
    const nth = (known.counts.get(identity) ?? 0) + 1;
    known.counts.set(identity, nth);
    return nth === 1 ? entry : { ...entry, nth };
  }
}
