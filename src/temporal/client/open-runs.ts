import type { Client, HistoryAndWorkflowId } from '@temporalio/client';
import { ifFound, inTime } from './calls.js';
import { type ListedRun, listRuns } from './listed-runs.js';
import { openCondition } from './open-status.js';

const withinMs = 30_000;

type DrawnRun = Pick<ListedRun, 'workflowId' | 'runId' | 'type'>;

/**
 * Lists the open runs that fit a visibility query, and draws some of each type at random.
 * @param perType at most so many of each type are drawn
 * @returns by type: how many are open, and which were drawn
 * @throws the service's error, also where it cannot read the query
 */
export async function drawOpenRuns(
  client: Client,
  { query, perType }: { query?: string | undefined; perType: number },
): Promise<Map<string, { open: number; drawn: DrawnRun[] }>> {
  const isOpen = await openCondition(client);
  const types = new Map<string, { open: number; drawn: DrawnRun[] }>();
  const listed = listRuns(client, query === undefined ? isOpen : `${isOpen} AND (${query})`);
  for await (const { workflowId, runId, type } of listed) {
    const found = types.get(type) ?? { open: 0, drawn: [] };
    types.set(type, found);
    found.open += 1;
    // each run has the same chance, however many follow
    const place = found.drawn.length < perType ? found.drawn.length : Math.floor(Math.random() * found.open);
    if (place < perType) found.drawn[place] = { workflowId, runId, type };
  }
  return types;
}

/** The history of each run, one after the other; a run that is gone by now has none. @throws the service's error */
export async function* historiesOf(
  client: Client,
  runs: Iterable<DrawnRun>,
): AsyncGenerator<HistoryAndWorkflowId> {
  for (const { workflowId, runId } of runs) {
    const fetch = () => client.workflow.getHandle(workflowId, runId).fetchHistory();
    const history = await ifFound(inTime(client, withinMs, fetch));
    if (history !== undefined) yield { workflowId, history };
  }
}
