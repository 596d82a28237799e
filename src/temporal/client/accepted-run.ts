import type { Client, WorkflowExecutionStatusName } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { notEncryptedType } from '../../contract/refused-input.js';

const closeEventOnly =
  proto.temporal.api.enums.v1.HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;
/** The most runs of one id that are examined. */
const mostRuns = 100;

/** A run of a workflow id. */
export interface Run {
  runId: string;
  status: WorkflowExecutionStatusName;
}

/**
 * The newest run of a workflow id whose start was accepted. Anyone with access to the namespace can start an id of ours
 * without its encryption: a worker refuses that run before it does anything, so its end says nothing about the id.
 * @returns null where every run was refused; the newest run where there are too many to examine
 * @throws what the client throws: `WorkflowNotFoundError`, errors of gRPC
 */
export async function newestAcceptedRun(client: Client, workflowId: string): Promise<Run | null> {
  const newest = await readRun(client, workflowId);
  if (!(await isRefused(client, workflowId, newest))) return newest;
  const earlier = await earlierRuns(client, workflowId, newest.runId);
  if (earlier === null) return newest;
  for (const runId of earlier) {
    const run = await readRun(client, workflowId, runId);
    if (!(await isRefused(client, workflowId, run))) return run;
  }
  return null;
}

/** The newest run of an id, and whether it was refused at its start: it answers no query then. */
export async function newestRun(client: Client, workflowId: string): Promise<Run & { isRefused: boolean }> {
  const run = await readRun(client, workflowId);
  return { ...run, isRefused: await isRefused(client, workflowId, run) };
}

async function readRun(client: Client, workflowId: string, ofRun?: string): Promise<Run> {
  const { runId, status } = await client.workflow.getHandle(workflowId, ofRun).describe();
  return { runId, status: status.name };
}

/**
 * Its own first run failed with our refusal of its start: no release of ours fails a run so later. One that was reset or
 * continued does not count, for it has a past.
 */
async function isRefused(client: Client, workflowId: string, { runId, status }: Run): Promise<boolean> {
  if (status !== 'FAILED') return false;
  const history = { namespace: client.options.namespace, execution: { workflowId, runId } };
  const [first, last] = await Promise.all([
    client.workflowService.getWorkflowExecutionHistory({ ...history, maximumPageSize: 1 }),
    client.workflowService.getWorkflowExecutionHistory({
      ...history,
      historyEventFilterType: closeEventOnly,
    }),
  ]);
  const started = first.history?.events?.[0]?.workflowExecutionStartedEventAttributes;
  const failed = last.history?.events?.at(-1)?.workflowExecutionFailedEventAttributes;
  return (
    failed?.failure?.applicationFailureInfo?.type === notEncryptedType &&
    started?.originalExecutionRunId === runId &&
    !started.continuedExecutionRunId
  );
}

/** The newest first; null: there are too many. */
async function earlierRuns(client: Client, workflowId: string, newest: string): Promise<string[] | null> {
  const { executions, nextPageToken } = await client.workflowService.listWorkflowExecutions({
    namespace: client.options.namespace,
    query: `WorkflowId = "${workflowId}"`,
    pageSize: mostRuns,
  });
  if (nextPageToken?.length) return null;
  return (executions ?? [])
    .map(({ execution, startTime }) => ({
      runId: execution?.runId ?? '',
      startedAt: optionalTsToMs(startTime) ?? 0,
    }))
    .filter(({ runId }) => runId !== '' && runId !== newest)
    .sort((one, other) => other.startedAt - one.startedAt)
    .map(({ runId }) => runId);
}
