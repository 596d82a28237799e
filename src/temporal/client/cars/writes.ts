import type { Client } from '@temporalio/client';
import {
  awaitCarWriteUpdate,
  type CarWriteResult,
  carWriteQuery,
  carWriteWorkflow,
  carWriteWorkflowId,
} from '../../../contract/car-write.js';
import { taskQueue } from '../../../contract/names.js';
import type { CarWriteRows, KnownCarWrite } from '../../../store/cars/writes.js';
import { newestAcceptedRun } from '../accepted-run.js';
import { callTemporal } from '../calls.js';
import { type OnceRun, outcomeWithin, startOnce } from '../once.js';
import { isOpenStatus } from '../open-status.js';
import { queryTemporal } from '../query.js';
import type { CarWrites } from './types.js';

const answerWithinMs = 9_500;
const readWithinMs = 3_000;
/** Temporal remembers a closed workflow for a day at least; half of it leaves room for clocks. */
const surelyKnownMs = 12 * 60 * 60_000;
/** Its workflow was ended before it reported its outcome, or its answer was deleted (F22), and Temporal has deleted it. */
const forgotten = { outcome: 'unknown', code: 'WORKFLOW_LOST' } as const;

const mayBeForgotten = ({ createdAt }: KnownCarWrite) => Date.now() - createdAt > surelyKnownMs;

/**
 * Writes on cars through a workflow each, whose id is the command's: a repeated request writes once. The key, what it stands
 * for and its first answer are in the database, also when Temporal has forgotten the workflow (F22).
 */
export function temporalCarWrites(
  client: Client,
  { rows, queue = taskQueue }: { rows: CarWriteRows; queue?: string },
): CarWrites {
  const runOf = async (commandId: string) =>
    (await callTemporal(client, readWithinMs, () =>
      newestAcceptedRun(client, carWriteWorkflowId(commandId)),
    )) ?? undefined;
  const outcome = (commandId: string, { runId }: OnceRun, withinMs: number) => {
    const run = { workflowId: carWriteWorkflowId(commandId), runId };
    return outcomeWithin<CarWriteResult>(client, run, { update: awaitCarWriteUpdate, withinMs });
  };
  /** The answer of a write whose audit entry still waits for the database. */
  const answered = (commandId: string) =>
    queryTemporal<CarWriteResult | null>(client, readWithinMs, {
      workflowId: carWriteWorkflowId(commandId),
      name: carWriteQuery,
    });
  return {
    write: async (start) => {
      const answerBy = Date.now() + answerWithinMs;
      const { commandId, write } = start;
      const known = await rows.reserve(start, Date.now());
      if (!known.isSame) return { outcome: 'reused' };
      if (known.result !== null) return known.result;
      // begun again it might be written twice
      if (mayBeForgotten(known) && (await runOf(commandId)) === undefined) return forgotten;
      const workflowId = carWriteWorkflowId(commandId);
      const about = { commandId, type: carWriteWorkflow, workflowId, queue, input: start };
      const summary = write.kind === 'memo' ? 'Car memo' : 'Sale status';
      const run = await startOnce(client, { ...about, request: write, summary });
      return run === undefined ? { outcome: 'reused' } : outcome(commandId, run, answerBy - Date.now());
    },
    find: async (commandId) => {
      const known = await rows.find(commandId);
      if (known?.result) return known.result;
      const found = await runOf(commandId);
      if (found === undefined) return known && (mayBeForgotten(known) ? forgotten : { outcome: 'pending' });
      if (isOpenStatus(found.status)) return (await answered(commandId)) ?? { outcome: 'pending' };
      return outcome(commandId, found, readWithinMs);
    },
  };
}
