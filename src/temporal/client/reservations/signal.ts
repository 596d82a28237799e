import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionStatusName,
} from '@temporalio/client';
import { reservationWorkflow } from '../../../contract/names.js';
import { type ReservationStart, startOptions } from '../../../contract/reservation.js';
import { EngineUnavailableError } from '../../connection/unavailable.js';
import { newestAcceptedRun } from '../accepted-run.js';
import { isOpenStatus } from '../open-status.js';

export interface ReservationSignal {
  start: ReservationStart;
  /** The task queue whose workers run workflows. */
  queue: string;
  signal: string;
  input: object;
}

/**
 * Signals a reservation's workflow, and starts it where it never ran (L05). One that has ended is not started again
 * (L08). Runs that were refused at their start do not count; then, and only then, a failed run is followed by another.
 * @param until an instant; nothing is sent after it
 * @returns null when it has the signal; else how its newest run ended
 * @throws what the client throws; `EngineUnavailableError` where other processes start and end the same id meanwhile
 */
export async function signalOrStart(
  client: Client,
  { start, queue, signal, input }: ReservationSignal,
  until: number,
): Promise<WorkflowExecutionStatusName | null> {
  const options = { ...startOptions(start, queue), signal, signalArgs: [input] };
  let isFree = false;
  for (let attempt = 1; attempt <= 2; attempt++) {
    // never ALLOW_DUPLICATE: a run that completes meanwhile stays the last
    const workflowIdReusePolicy = isFree ? 'ALLOW_DUPLICATE_FAILED_ONLY' : options.workflowIdReusePolicy;
    try {
      await client.withDeadline(until, () =>
        client.workflow.signalWithStart(reservationWorkflow, { ...options, workflowIdReusePolicy }),
      );
      return null;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    const run = await client.withDeadline(until, () => newestAcceptedRun(client, options.workflowId));
    if (run !== null && !isOpenStatus(run.status)) return run.status;
    isFree = run === null;
  }
  throw new EngineUnavailableError('ALREADY_EXISTS');
}
