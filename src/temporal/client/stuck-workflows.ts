import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { engineCode } from '../connection/unavailable.js';
import { type ListedRun, listRuns } from './listed-runs.js';
import { openCondition } from './open-status.js';

/** An open workflow whose tasks fail again and again. */
export interface StuckWorkflow {
  workflowId: string;
  workflowType: string;
  /** The cause of a task that failed is that the history does not replay. */
  isNonDeterministic: boolean;
}

const attribute = 'TemporalReportedProblems';
const most = 200;

/** Whether so many are listed that there may be more. */
export function mayBeMore(listed: readonly unknown[]): boolean {
  return listed.length >= most;
}

/**
 * The workflows that Temporal itself reports: those whose workflow task failed in a row as often as the server's setting
 * states, the first 200. Without that setting the list is empty.
 * @returns null where the server does not know the report (it is older than 1.30)
 * @throws what the client throws
 */
export async function listStuckWorkflows(client: Client, withinMs = 10_000): Promise<StuckWorkflow[] | null> {
  const query = `${await openCondition(client, withinMs)} AND ${attribute} IS NOT NULL`;
  const found: StuckWorkflow[] = [];
  try {
    for await (const run of listRuns(client, query, { pageSize: most, withinMs })) {
      found.push(toStuckWorkflow(run));
      if (found.length === most) break;
    }
    return found;
  } catch (error) {
    if (engineCode(error) === 'INVALID_ARGUMENT') return null;
    throw error;
  }
}

function toStuckWorkflow({ workflowId, type, searchAttributes }: ListedRun): StuckWorkflow {
  const problems = searchAttributes[attribute];
  const causes = problems === undefined ? [] : defaultPayloadConverter.fromPayload<string[]>(problems);
  return {
    workflowId,
    workflowType: type,
    isNonDeterministic: causes.some((cause) => /NonDetermin/i.test(cause)),
  };
}
