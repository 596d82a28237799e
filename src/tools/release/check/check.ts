import type { WorkflowBundlePath } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { CodecError, KeyStoreError } from '../../../store/sealing/errors.js';
import type { TemporalClient } from '../../../temporal/client/create-client.js';
import { drawOpenRuns, historiesOf } from '../../../temporal/client/open-runs.js';
import { replayHistories } from '../../../temporal/worker/replay.js';

/** What a check found; ids and names alone, because failures of a workflow may quote what it holds. */
export interface ReleaseCheck {
  /** By workflow type: open runs that fit the query, and how many of them were replayed. */
  types: { type: string; open: number; replayed: number }[];
  /** Runs that this build cannot continue. */
  breaks: CheckedRun[];
  /** Runs that could not be decrypted, so that nothing is known of them. */
  unread: CheckedRun[];
}

interface CheckedRun {
  workflowId: string;
  runId: string;
  type: string;
  reason: string;
}

const longestReason = 300;

/**
 * Replays the histories of open runs on the workflow code of `bundle`. Nothing is written.
 * @param sample at most so many runs of each workflow type, drawn at random
 * @throws the service's error; `KeyStoreError` where the database gives no answer about data keys
 */
export async function checkOpenRuns(
  { client, dataConverter }: Pick<TemporalClient, 'client' | 'dataConverter'>,
  { bundle, query, sample }: { bundle: WorkflowBundlePath; query?: string | undefined; sample: number },
): Promise<ReleaseCheck> {
  const found = await drawOpenRuns(client, { query, perType: sample });
  const types = [...found].map(([type, { open }]) => ({ type, open, replayed: 0 }));
  const runs = [...found.values()].flatMap(({ drawn }) => drawn);
  const typeOf = new Map(runs.map(({ workflowId, type }) => [workflowId, type]));
  const breaks: CheckedRun[] = [];
  const unread: CheckedRun[] = [];
  for await (const { workflowId, runId, error, unreadBecause } of replayHistories(
    bundle,
    dataConverter,
    historiesOf(client, runs),
  )) {
    // every further history would wait for the same database
    if (unreadBecause instanceof KeyStoreError && !(unreadBecause.cause instanceof CodecError)) {
      throw unreadBecause;
    }
    const run = { workflowId, runId, type: typeOf.get(workflowId) ?? '' };
    if (unreadBecause !== undefined) {
      unread.push({ ...run, reason: reasonOf(unreadBecause) });
      continue;
    }
    const counted = types.find(({ type }) => type === run.type);
    if (counted !== undefined) counted.replayed += 1;
    if (error !== undefined) breaks.push({ ...run, reason: reasonOf(error) });
  }
  return { types: types.sort((a, b) => (a.type < b.type ? -1 : 1)), breaks, unread };
}

/**
 * @returns whether this build continues every run that was replayed
 * @throws Error where that is not known: runs could not be decrypted, or none fits the query, and none of the others breaks
 */
export function continuesAll({ types, breaks, unread }: ReleaseCheck, query: string | undefined): boolean {
  if (breaks.length > 0) return false;
  if (unread.length > 0)
    throw new Error(`${unread.length} runs could not be checked: see CODEC_KEYS and DATABASE_URL`);
  const hasReplayed = types.some(({ replayed }) => replayed > 0);
  if (query !== undefined && !hasReplayed)
    throw new Error('no run was replayed: no open run fits --query, or each has just ended');
  return true;
}

/** Core's text of a difference names types and ids of events, and that of our codec ids of keys; any other text may quote a payload. */
function reasonOf(error: Error): string {
  if (!(error instanceof DeterminismViolationError || error instanceof CodecError)) return error.name;
  return error.message.replace(/\s+/g, ' ').slice(0, longestReason);
}
