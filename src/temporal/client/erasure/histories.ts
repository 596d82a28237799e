import type { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import type { Remains } from '../../../store/erasure/remains.js';
import { isUnreadable } from '../../../store/erasure/unreadable.js';
import { isEncrypted, nonceOf, remainsOf, scopeOf } from '../../codec.js';
import { ifFound, inTime } from '../calls.js';
import { decodePayloads } from '../decode-payloads.js';
import { listRuns } from '../listed-runs.js';
import { isOpenStatusCode } from '../open-status.js';

/** What Temporal has of one workflow id, read before its data key is destroyed. */
export interface ReadHistories {
  /** Of payloads under the data key. */
  remains: Remains;
  /** Runs with payloads that the data key does not protect: an earlier release wrote them. */
  unprotectedRuns: string[];
}

const withinMs = 30_000;

/**
 * Reads all runs of a workflow id, and what is to be left of their payloads.
 * @returns `open` where a run is not closed
 * @throws what the client throws; the database about a data key
 */
export async function readHistories(client: Client, workflowId: string): Promise<ReadHistories | 'open'> {
  const read = new Map<string, Payload>();
  const unprotectedRuns: string[] = [];
  const runs = await runsOf(client, workflowId);
  if (runs === 'open') return 'open';
  for (const runId of runs) {
    const fetch = () => client.workflow.getHandle(workflowId, runId).fetchHistory();
    const history = await ifFound(inTime(client, withinMs, fetch));
    if (history === undefined) continue;
    const payloads = payloadsIn(history.events);
    const own = payloads.filter((payload) => scopeOf(payload) === workflowId);
    if (own.length < payloads.length) unprotectedRuns.push(runId);
    for (const payload of own) {
      const [plain] = await decode(client, payload);
      if (plain !== undefined) read.set(Buffer.from(nonceOf(payload)).toString('base64'), plain);
    }
  }
  const left = remainsOf([...read.values()]);
  const remains = new Map([...read.keys()].map((nonce, index) => [nonce, left[index] as Uint8Array]));
  return { remains, unprotectedRuns };
}

/**
 * Deletes runs from Temporal that it still has: what they hold could be read for as long as the key ring has its key.
 * @throws what the client throws
 */
export async function deleteRuns(client: Client, workflowId: string, runs: readonly string[]): Promise<void> {
  const { namespace } = client.options;
  for (const runId of runs) {
    const request = { namespace, workflowExecution: { workflowId, runId } };
    await ifFound(inTime(client, withinMs, () => client.workflowService.deleteWorkflowExecution(request)));
  }
}

/**
 * All runs that Temporal has: those from the newest backwards, and those that visibility lists, because a run that was reset, or
 * terminated and started again, is in no chain. Visibility alone may be late.
 */
async function runsOf(client: Client, workflowId: string): Promise<string[] | 'open'> {
  const runs = new Set<string>();
  for (let runId: string | undefined = ''; runId !== undefined; ) {
    const run = await closedRun(client, { workflowId, runId });
    if (run === 'open') return 'open';
    if (run === undefined) break;
    runs.add(run.runId);
    runId = run.before;
  }
  const query = `WorkflowId = '${workflowId.replaceAll("'", "''")}'`;
  for await (const { runId } of listRuns(client, query)) {
    if (runs.has(runId)) continue;
    const run = await closedRun(client, { workflowId, runId });
    if (run === 'open') return 'open';
    if (run !== undefined) runs.add(runId);
  }
  return [...runs];
}

/** @param runId empty: the newest @returns undefined: Temporal has it no more */
async function closedRun(
  client: Client,
  { workflowId, runId }: { workflowId: string; runId: string },
): Promise<{ runId: string; before: string | undefined } | 'open' | undefined> {
  const described = await describeRun(client, { workflowId, runId });
  if (described === undefined) return undefined;
  const { workflowExecutionInfo: info } = described;
  if (isOpenStatusCode(info?.status)) return 'open';
  const found = info?.execution?.runId ?? runId;
  return ifFound(runBefore(client, { workflowId, runId: found }));
}

/** Whether the newest run of a workflow id is open. @throws what the client throws */
export async function hasOpenRun(
  client: Client,
  workflowId: string,
  deadlineMs = withinMs,
): Promise<boolean> {
  const described = await describeRun(client, { workflowId, runId: '' }, deadlineMs);
  return isOpenStatusCode(described?.workflowExecutionInfo?.status);
}

function describeRun(
  client: Client,
  execution: { workflowId: string; runId: string },
  deadlineMs = withinMs,
) {
  const { namespace } = client.options;
  // not by the handle, which decrypts the memo: a key may be missing
  return ifFound(
    inTime(client, deadlineMs, () =>
      client.workflowService.describeWorkflowExecution({ namespace, execution }),
    ),
  );
}

/** The same run, with the one that it continues. */
async function runBefore(
  client: Client,
  execution: { workflowId: string; runId: string },
): Promise<{ runId: string; before: string | undefined }> {
  const { namespace } = client.options;
  const { history } = await inTime(client, withinMs, () =>
    client.workflowService.getWorkflowExecutionHistory({ namespace, execution, maximumPageSize: 1 }),
  );
  const [first] = history?.events ?? [];
  const before = first?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  return { runId: execution.runId, before };
}

/** @returns nothing where no key of ours opens it */
async function decode(client: Client, payload: Payload): Promise<Payload[]> {
  try {
    return await decodePayloads(client, [payload]);
  } catch (error) {
    if (isUnreadable(error)) return [];
    throw error;
  }
}

/** All encrypted payloads in anything. */
function payloadsIn(node: unknown): Payload[] {
  if (node === null || typeof node !== 'object' || node instanceof Uint8Array) return [];
  if ('metadata' in node && isEncrypted(node as Payload)) return [node as Payload];
  return Object.values(node).flatMap(payloadsIn);
}
