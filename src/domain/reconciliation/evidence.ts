import type { ScheduleEntry, ScheduleEvidence } from '../reservation/types.js';
import type { Instant } from '../shared/time.js';
import type { Check } from './compare.js';
import { countsFromReads } from './findings.js';

/** Evidence for a reservation. `mark`: equal where it says the same of the same belief. */
export interface Notice {
  mark: string;
  evidence: ScheduleEvidence;
}

/**
 * What a reservation receives of its check (F47); null: nothing that it could use yet.
 * @param reads in how many readings in a row the difference or absence was seen
 */
export function noticeFor(check: Check, { at, reads }: { at: Instant; reads: number }): Notice | null {
  if (check.kind === 'agrees') {
    return { mark: `agrees ${textOf(check.entry)}`, evidence: about(check.entry, [], at, true) };
  }
  const confirmed = reads >= countsFromReads;
  const against = `${check.believed?.carId} ${check.believed?.period.start} ${check.believed?.period.end} ${confirmed}`;
  if (check.kind !== 'missing-there') {
    const mark = `differs ${textOf(check.entry)} ${against}`;
    return { mark, evidence: about(check.entry, [], at, confirmed) };
  }
  const { candidates } = check;
  if (!confirmed && candidates.length === 0) return null;
  const mark = `missing ${candidates.map(textOf).join(' ')} ${against}`;
  return { mark, evidence: about(null, candidates, at, confirmed) };
}

function about(
  entry: ScheduleEntry | null,
  candidates: ScheduleEntry[],
  at: Instant,
  confirmed: boolean,
): ScheduleEvidence {
  return { at, entry, candidates, confirmed };
}

function textOf({ scheduleId, carId, start, end }: ScheduleEntry): string {
  return `${scheduleId}:${carId}:${start}-${end}`;
}
