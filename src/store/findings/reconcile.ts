import type { CompareInput, ReconciliationResult } from '../../contract/reconciliation.js';
import {
  type BelievedReservation,
  type Check,
  compare,
  noticeFor,
  type OpenFinding,
  type Review,
  review,
} from '../../domain/reconciliation/index.js';
import type { HandoverDb } from '../handover.js';
import { readChecks, readReservationsWithNews, type StoredCheck, writeChecks } from './checks.js';
import { openFindings, putReview } from './findings.js';
import { readSlices } from './reads.js';

/**
 * Compares one reading with the believed reservations, and writes the differences and the reservations to notify (F41-F47).
 * Idempotent.
 */
export async function reconcileReading(
  db: HandoverDb,
  { run, at, slices }: CompareInput,
  believed: readonly Omit<BelievedReservation, 'scheduleId'>[],
): Promise<ReconciliationResult> {
  const reads = await readSlices(db, run, slices);
  return db.transaction(async (tx) => {
    const stored = await readChecks(tx);
    const reservations = believed.map((one) => ({
      ...one,
      scheduleId: stored.get(one.reservationId)?.scheduleId ?? null,
    }));
    const comparison = compare(reads, reservations);
    const before = await openFindings(tx);
    const reviewed = review(before, comparison, { at, slices });
    await putReview(tx, reviewed, at);
    const news = await readReservationsWithNews(tx);
    const changed = changedChecks(comparison.checks, { stored, reads: readsOf(reviewed), news, at });
    await writeChecks(
      tx,
      changed,
      believed.map(({ reservationId }) => reservationId),
    );
    const count = (kind: Check['kind']) => comparison.checks.filter((check) => check.kind === kind).length;
    return {
      entries: comparison.discovered.size + comparison.undiscovered.length,
      reservations: reservations.length,
      agree: count('agrees'),
      differ: count('period-differs') + count('car-differs'),
      missing: count('missing-there'),
      undiscovered: comparison.undiscovered.length,
      told: changed.filter(({ waiting }) => waiting !== null).length,
    };
  });
}

/** In how many readings each difference was seen, by kind and reservation. */
function readsOf({ fresh, again }: Review): (check: Check) => number {
  const keyOf = ({ kind, reservationId }: Pick<OpenFinding, 'kind' | 'reservationId'>) =>
    `${kind} ${reservationId}`;
  const reads = new Map([
    ...fresh.map((one): [string, number] => [keyOf(one), 1]),
    ...again.map((one): [string, number] => [keyOf(one), one.reads]),
  ]);
  return (check) => (check.kind === 'agrees' ? 0 : (reads.get(keyOf({ ...check, kind: check.kind })) ?? 0));
}

interface Known {
  stored: ReadonlyMap<number, StoredCheck>;
  reads(check: Check): number;
  /** Reservations that may be in doubt again. */
  news: ReadonlySet<number>;
  at: number;
}

/** F47: a reservation receives a notice that is new to it, and a known one again where it may be in doubt since. */
function changedChecks(checks: readonly Check[], { stored, reads, news, at }: Known) {
  return checks.flatMap((check): Omit<StoredCheck, 'notifiedMark'>[] => {
    const { reservationId } = check;
    const before = stored.get(reservationId);
    const notice = noticeFor(check, { at, reads: reads(check) });
    const isNew = notice !== null && (notice.mark !== before?.notifiedMark || news.has(reservationId));
    const waiting = isNew ? notice : null;
    const scheduleId = 'entry' in check ? check.entry.scheduleId : (before?.scheduleId ?? null);
    const isSame = before !== undefined && before.scheduleId === scheduleId;
    if (isSame && waiting === null && before.waiting === null) return [];
    return [{ reservationId, scheduleId, waiting }];
  });
}
