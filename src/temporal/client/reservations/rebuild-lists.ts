import type { Client } from '@temporalio/client';
import { reservationWorkflowId } from '../../../contract/names.js';
import type { ListRow } from '../../../domain/reservation/index.js';
import { forEach } from '../../../domain/shared/for-each.js';
import type { StoredRows } from '../../../store/reservations/stored-rows.js';
import { newestAcceptedRun } from '../accepted-run.js';
import { ifFound, inTime } from '../calls.js';
import { isOpenStatus } from '../open-status.js';
import { openReservations } from './believed.js';
import { readListRow } from './read-list-row.js';

const withinMs = 10_000;
/** A query may replay a whole history: what workers have to do goes first. */
const atOnce = 4;
/** Reservations without a row, of which those are left out that have one by now. */
const perLook = 20;

/** What a rebuild did, in reservations. */
export interface Rebuilt {
  written: number;
  /** Rows of reservations that are not open any more. */
  removed: number;
  /** Open ones whose workflow gave no answer: no worker runs it, or a worker of 0.3.0 does. */
  unanswered: number;
}

export interface RebuildOptions {
  /** Every open reservation; false: those without a row. */
  all: boolean;
  /** Awaited before each query: beside a worker's own work. */
  before?: () => Promise<void>;
  /** Lists count as complete, although workflows of reservations without a row gave no answer. */
  mayLackRows?: boolean;
  isStopping?: () => boolean;
  /** Called after each. */
  onProgress?: (done: number, of: number) => void;
}

/**
 * Brings the rows of lists in line with the workflows: each open one is queried for its row, and rows of those that are not open are
 * deleted. It may run beside everything else, also twice at once: a row that its workflow writes meanwhile stays where it is of a later state.
 * @throws what the client throws where Temporal gives no list; what the store throws
 */
export async function rebuildLists(
  client: Client,
  rows: StoredRows,
  options: RebuildOptions,
): Promise<Rebuilt> {
  const {
    all,
    before: beforeQuery = async () => {},
    mayLackRows = false,
    isStopping = () => false,
    onProgress = () => {},
  } = options;
  const rebuilt: Rebuilt = { written: 0, removed: 0, unanswered: 0 };
  // read before the list: what begins after it is no row too many
  const before = await rows.sequences();
  const open = (await openReservations(client, () => {})).map(({ reservationId }) => reservationId);
  // read after: what began meanwhile has its row by now
  const after = await rows.sequences();
  const withoutRow = open.filter((id) => !after.has(id));
  const withRow = all ? open.filter((id) => after.has(id)) : [];
  let done = 0;
  const replaceRow = async (id: number) => {
    await beforeQuery();
    if (isStopping()) return;
    const row = await readRow(client, id);
    if (row === 'unanswered') rebuilt.unanswered += 1;
    else if (row !== undefined) {
      await rows.write(id, row, before.get(id));
      rebuilt.written += 1;
    }
    onProgress(++done, withoutRow.length + withRow.length);
  };
  // a workflow that has just begun writes its row by itself: in a backlog those are many, and each query may replay a history
  for (let from = 0; from < withoutRow.length && !isStopping(); from += perLook) {
    const looked = withoutRow.slice(from, from + perLook);
    const stored = await rows.having(looked);
    done += stored.size;
    await forEach(
      looked.filter((id) => !stored.has(id)),
      atOnce,
      replaceRow,
      isStopping,
    );
  }
  if ((rebuilt.unanswered === 0 || mayLackRows) && !isStopping()) await rows.markComplete();
  const listed = new Set(open);
  const unlisted = [...before].filter(([id]) => !listed.has(id));
  const removeRow = async ([id, sequence]: [number, number]) => {
    // visibility lags: a workflow that has just begun is not listed yet
    if (await isOpen(client, id)) return;
    await rows.remove(id, sequence);
    rebuilt.removed += 1;
  };
  await forEach(unlisted, atOnce, removeRow, isStopping);
  await forEach(withRow, atOnce, replaceRow, isStopping);
  return rebuilt;
}

async function readRow(client: Client, id: number): Promise<ListRow | undefined | 'unanswered'> {
  try {
    return await readListRow(client, id);
  } catch {
    return 'unanswered';
  }
}

async function isOpen(client: Client, id: number): Promise<boolean> {
  const newest = () => newestAcceptedRun(client, reservationWorkflowId(id));
  const run = (await ifFound(inTime(client, withinMs, newest))) ?? null;
  return run !== null && isOpenStatus(run.status);
}
