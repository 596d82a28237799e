import type { WorkflowBundlePath } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import type { TemporalClient } from '../../../temporal/client/open.js';
import { drawOpenRuns, historiesOf } from '../../../temporal/client/open-runs.js';
import { replayHistories } from '../../../temporal/worker/replay.js';

/** What a check found; ids and names alone, because failures of a workflow may quote what it holds. */
export interface ReleaseCheck {
  /** By workflow type: open runs that fit the query, and how many of them were replayed. */
  types: { type: string; open: number; replayed: number }[];
  /** Runs that this build cannot continue. */
  breaks: { workflowId: string; runId: string; type: string; reason: string }[];
}

const longestReason = 300;

/**
 * Replays the histories of open runs on the workflow code of `bundle`. Nothing is written.
 * @param sample at most so many runs of each workflow type, drawn at random
 * @throws the service's error
 */
export async function checkOpenRuns(
  { client, dataConverter }: Pick<TemporalClient, 'client' | 'dataConverter'>,
  { bundle, query, sample }: { bundle: WorkflowBundlePath; query?: string | undefined; sample: number },
): Promise<ReleaseCheck> {
  const found = await drawOpenRuns(client, { query, perType: sample });
  const types = [...found].map(([type, { open }]) => ({ type, open, replayed: 0 }));
  const runs = [...found.values()].flatMap(({ drawn }) => drawn);
  const typeOf = new Map(runs.map(({ workflowId, type }) => [workflowId, type]));
  const breaks: ReleaseCheck['breaks'] = [];
  for await (const { workflowId, runId, error } of replayHistories(
    bundle,
    dataConverter,
    historiesOf(client, runs),
  )) {
    const type = typeOf.get(workflowId) ?? '';
    const counted = types.find((one) => one.type === type);
    if (counted !== undefined) counted.replayed += 1;
    if (error !== undefined) breaks.push({ workflowId, runId, type, reason: reasonOf(error) });
  }
  return { types: types.sort((a, b) => (a.type < b.type ? -1 : 1)), breaks };
}

/** Core's text of a difference names types and ids of events; any other text may quote a payload. */
function reasonOf(error: Error): string {
  if (!(error instanceof DeterminismViolationError)) return error.name;
  return error.message.replace(/\s+/g, ' ').slice(0, longestReason);
}
