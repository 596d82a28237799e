import type { Client } from '@temporalio/client';
import { holdWorkflowId } from '../../../contract/hold.js';
import { ifFound } from '../calls.js';

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
  const run = await ifFound(client.workflow.getHandle(holdWorkflowId(holdId)).describe());
  if (run === undefined) return { endedAt: null };
  return endings.includes(run.status.name) ? { endedAt: run.closeTime?.getTime() ?? null } : undefined;
}
