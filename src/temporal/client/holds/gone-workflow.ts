import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { holdWorkflowId } from '../../../contract/hold.js';

/** A workflow that ended in another way than by completing; null: Temporal no longer knows when. */
export interface GoneWorkflow {
  endedAt: number | null;
}
const endings: readonly string[] = ['TERMINATED', 'FAILED', 'TIMED_OUT', 'CANCELLED'];

/**
 * Reads once from Temporal the state of the workflow of a recorded hold.
 * @returns undefined where it runs, or completed
 * @throws what the request threw, other than that there is no such workflow
 */
export async function readGoneWorkflow(client: Client, holdId: string): Promise<GoneWorkflow | undefined> {
  try {
    const { status, closeTime } = await client.workflow.getHandle(holdWorkflowId(holdId)).describe();
    return endings.includes(status.name) ? { endedAt: closeTime?.getTime() ?? null } : undefined;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { endedAt: null };
    throw error;
  }
}
