import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { engineCode } from '../connection/unavailable.js';

/** An open workflow whose tasks fail again and again. */
export interface StuckWorkflow {
  workflowId: string;
  workflowType: string;
  /** The cause of a task that failed is that the history does not replay. */
  isNonDeterministic: boolean;
}

const attribute = 'TemporalReportedProblems';

/**
 * The workflows that Temporal itself reports: those whose workflow task failed in a row as often as the server's setting
 * states, the first 200. Without that setting the list is empty.
 * @returns null where the server does not know the report (it is older than 1.30)
 * @throws what the client throws
 */
export async function listStuckWorkflows(client: Client, withinMs = 10_000): Promise<StuckWorkflow[] | null> {
  const { namespace } = client.options;
  const query = `ExecutionStatus = "Running" AND ${attribute} IS NOT NULL`;
  const list = () => client.workflowService.listWorkflowExecutions({ namespace, query, pageSize: 200 });
  try {
    const { executions } = await client.withDeadline(Date.now() + withinMs, list);
    return (executions ?? []).map(({ execution, type, searchAttributes }) => {
      const problems = searchAttributes?.indexedFields?.[attribute];
      const causes = problems == null ? [] : defaultPayloadConverter.fromPayload<string[]>(problems);
      return {
        workflowId: execution?.workflowId ?? '',
        workflowType: type?.name ?? '',
        isNonDeterministic: causes.some((cause) => /NonDetermin/i.test(cause)),
      };
    });
  } catch (error) {
    if (engineCode(error) === 'INVALID_ARGUMENT') return null;
    throw error;
  }
}
