import type { Client } from '@temporalio/client';
import { type CarWriteResult, carWriteWorkflow, carWriteWorkflowId } from '../../contract/car-write.js';
import { taskQueue } from '../../contract/names.js';
import type { CarWrites } from '../fleet-deps.js';
import { callTemporal } from './calls.js';
import { resultWithin, startOnce } from './once.js';

const answerWithinMs = 9_500;
const lookWithinMs = 3_000;

/** Writes on cars through a workflow each, whose id is the command's: pressing twice writes once. */
export function temporalCarWrites(client: Client, queue: string = taskQueue): CarWrites {
  return {
    write: async (start) => {
      const answerBy = Date.now() + answerWithinMs;
      const { commandId, write } = start;
      const workflowId = carWriteWorkflowId(commandId);
      const about = { commandId, type: carWriteWorkflow, workflowId, queue, input: start };
      const summary = write.kind === 'memo' ? 'Car memo' : 'Sale status';
      if (!(await startOnce(client, { ...about, request: write, summary }))) return { outcome: 'reused' };
      return resultWithin<CarWriteResult>(client, workflowId, { withinMs: answerBy - Date.now() });
    },
    find: async (commandId) => {
      const workflowId = carWriteWorkflowId(commandId);
      const handle = client.workflow.getHandle(workflowId);
      const known = await callTemporal(client, lookWithinMs, () => handle.describe());
      if (known === undefined) return undefined;
      if (known.status.name === 'RUNNING') return { outcome: 'pending' };
      return resultWithin<CarWriteResult>(client, workflowId, { withinMs: lookWithinMs });
    },
  };
}
