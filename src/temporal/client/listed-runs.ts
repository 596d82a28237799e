import type { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { inTime } from './calls.js';

/** A run as visibility has it. Its memo is left out: it may be under a key that this process lacks. */
export interface ListedRun {
  workflowId: string;
  runId: string;
  type: string;
  searchAttributes: Readonly<Record<string, Payload>>;
}

interface ListOptions {
  pageSize?: number;
  /** Milliseconds for each page. */
  withinMs?: number;
  /** Called after each page. */
  onPage?: () => void;
}

type ListRequest = Parameters<Client['workflowService']['listWorkflowExecutions']>[0];

/** The runs that fit a visibility query, which lags slightly. @throws the service's error */
export async function* listRuns(
  client: Client,
  query: string,
  { pageSize = 1_000, withinMs = 30_000, onPage = () => {} }: ListOptions = {},
): AsyncGenerator<ListedRun> {
  const { workflowService, options } = client;
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const request: ListRequest = { namespace: options.namespace, query, pageSize, nextPageToken };
    const page = await inTime(client, withinMs, () => workflowService.listWorkflowExecutions(request));
    onPage();
    for (const { execution, type, searchAttributes } of page.executions ?? []) {
      const { workflowId, runId } = execution ?? {};
      if (!workflowId || !runId) continue;
      yield {
        workflowId,
        runId,
        type: type?.name ?? '',
        searchAttributes: searchAttributes?.indexedFields ?? {},
      };
    }
    nextPageToken = page.nextPageToken ?? new Uint8Array();
  } while (nextPageToken.length > 0);
}
