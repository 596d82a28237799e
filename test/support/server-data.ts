import { reservationWorkflowId } from '../../src/contract/names.js';
import type { Scene } from '../../src/tools/rehearse/play/scene.js';

/** Everything that the server stores of a scenario’s reservation, without decoding. */
export async function serverDataOf({ stage, reservationId }: Scene): Promise<Record<string, unknown>> {
  const { client, connection, target } = stage.engine.temporal;
  const workflowId = reservationWorkflowId(reservationId);
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  const { history } = await connection.workflowService.getWorkflowExecutionHistory({
    namespace: target.namespace,
    execution: { workflowId },
  });
  return { workflowId, description: raw, history };
}
