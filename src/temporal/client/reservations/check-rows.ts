import type { Client } from '@temporalio/client';
import type { ListRow } from '../../../domain/reservation/index.js';
import type { Lease } from '../../../store/connection/lease.js';
import type { RowChecks } from '../../../store/reservations/row-checks.js';
import type { StoredRows } from '../../../store/reservations/stored-rows.js';
import { EngineUnavailableError } from '../../connection/unavailable.js';
import { readListRow } from './read-list-row.js';

/** As many are read again at most by the next process. */
const atOnce = 20;
/** Temporal as a whole does not answer: the rest waits. Any other failure is that of one workflow. */
const away = ['NOT_CONNECTED', 'UNAVAILABLE', 'RESOURCE_EXHAUSTED'];

export interface RowCheckDeps {
  client: Client;
  checks: RowChecks;
  rows: StoredRows;
}

export interface RowCheckOptions {
  /** Awaited before each query: it sets the pace. */
  before: (isUrgent: boolean) => Promise<void>;
  isStopping: () => boolean;
}

/** What this process did of a round, in reservations. */
export interface CheckedRows {
  /** Rows that are in line with their workflows now. */
  compared: number;
  /** Those whose workflow gave no answer: their rows stay as they are. */
  unanswered: number;
}

/**
 * Continues the round in which each row of lists is replaced by what its workflow answers, or begins one that is due. A row whose
 * workflow is gone stays: `rebuildLists` deletes it.
 * @param lease one process at a time does this
 * @returns null: the round is not over. It is continued where this one ended, by whichever process is next
 * @throws `EngineUnavailableError` where Temporal is away, as null; what the store throws
 */
export async function checkRows(
  { client, checks, rows }: RowCheckDeps,
  lease: Lease,
  { before, isStopping }: RowCheckOptions,
): Promise<CheckedRows | null> {
  const checked: CheckedRows = { compared: 0, unanswered: 0 };
  const round = await checks.begin(lease);
  if (round === null) return null;
  for (;;) {
    const page = await checks.next(round, atOnce);
    if (page.length === 0) return (await checks.end(lease, round.place)) ? checked : null;
    let { place } = round;
    for (const { reservationId, sequence } of page) {
      await before(round.isUrgent);
      if (isStopping()) return null;
      const row = await readRow(client, reservationId);
      if (row === 'unanswered') checked.unanswered += 1;
      else if (row !== undefined) {
        await rows.write(reservationId, row, sequence);
        checked.compared += 1;
      }
      place = reservationId;
    }
    if (!(await checks.advance(lease, round.place, place))) return null;
    round.place = place;
  }
}

async function readRow(client: Client, id: number): Promise<ListRow | undefined | 'unanswered'> {
  try {
    return await readListRow(client, id);
  } catch (error) {
    if (error instanceof EngineUnavailableError && away.includes(error.code)) throw error;
    return 'unanswered';
  }
}
