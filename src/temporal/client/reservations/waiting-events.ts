import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { inTime } from '../calls.js';

const { EventType } = proto.temporal.api.enums.v1;
type Page = proto.temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryReverseResponse;
const eventsAtOnce = 50;

/**
 * Whether the newest run of a workflow has events that no completed workflow task contains. A closed one never completes them,
 * and refuses each query (`workflows/whole-tasks.ts`).
 * @param withinMs of each page, in ms
 * @throws what the client throws
 */
export async function hasWaitingEvents(
  client: Client,
  workflowId: string,
  withinMs: number,
): Promise<boolean> {
  const { namespace } = client.options;
  let nextPageToken: Uint8Array | null = null;
  for (;;) {
    const request = { namespace, execution: { workflowId }, maximumPageSize: eventsAtOnce, nextPageToken };
    const page: Page = await inTime(client, withinMs, () =>
      client.workflowService.getWorkflowExecutionHistoryReverse(request),
    );
    for (const { eventType } of page.history?.events ?? []) {
      if (eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED) return false;
      if (eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED) return true;
    }
    if (!page.nextPageToken?.length) return false;
    nextPageToken = page.nextPageToken;
  }
}
