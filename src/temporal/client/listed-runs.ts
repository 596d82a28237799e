import type { Client } from '@temporalio/client';

export interface ListedRun {
  workflowId: string;
  runId: string;
  type: string;
}

type ListRequest = Parameters<Client['workflowService']['listWorkflowExecutions']>[0];

const withinMs = 30_000;

/** The runs that fit a visibility query. Their memos are not decrypted: a key may be missing. @throws the service's error */
export async function* listRuns(client: Client, query: string): AsyncGenerator<ListedRun> {
  const { workflowService, options } = client;
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const request: ListRequest = { namespace: options.namespace, query, pageSize: 1_000, nextPageToken };
    const page = await client.withDeadline(Date.now() + withinMs, () =>
      workflowService.listWorkflowExecutions(request),
    );
    for (const { execution, type } of page.executions ?? []) {
      const { workflowId, runId } = execution ?? {};
      if (workflowId && runId) yield { workflowId, runId, type: type?.name ?? '' };
    }
    nextPageToken = page.nextPageToken ?? new Uint8Array();
  } while (nextPageToken.length > 0);
}
