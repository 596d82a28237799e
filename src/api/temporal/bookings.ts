import { createHash } from 'node:crypto';
import { type Client, WorkflowFailedError } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { BookingResult, BookingStart } from '../../contract/booking.js';
import { bookingWorkflow, bookingWorkflowId, taskQueue } from '../../contract/names.js';
import { type Bookings, EngineUnavailableError } from '../deps.js';
import { callTemporal } from './calls.js';

const answerWithinMs = 9_500;
const startWithinMs = 5_000;

/** Books through a workflow of its own, whose id is the command's: pressing twice books once. */
export function temporalBookings(client: Client, queue: string = taskQueue): Bookings {
  return {
    book: async (start) => {
      const answerBy = Date.now() + answerWithinMs;
      if (!(await begin(client, queue, start))) return { outcome: 'reused' };
      return resultOf(client, start.commandId, answerBy - Date.now());
    },
  };
}

/** Starts the booking, or finds it started. @returns false where the id stands for another request */
async function begin(client: Client, queue: string, start: BookingStart): Promise<boolean> {
  const request = markOf(start);
  const workflowId = bookingWorkflowId(start.commandId);
  const options = {
    taskQueue: queue,
    workflowId,
    args: [start],
    memo: { request },
    staticSummary: 'Booking',
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowIdConflictPolicy: 'FAIL',
  } as const;
  try {
    await callTemporal(client, startWithinMs, () => client.workflow.start(bookingWorkflow, options));
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  const known = await callTemporal(client, startWithinMs, () =>
    client.workflow.getHandle(workflowId).describe(),
  );
  return known?.memo?.request === request;
}

async function resultOf(client: Client, commandId: string, withinMs: number) {
  const handle = client.workflow.getHandle<() => Promise<BookingResult>>(bookingWorkflowId(commandId));
  try {
    return (await callTemporal(client, withinMs, () => handle.result())) ?? { outcome: 'pending' as const };
  } catch (error) {
    if (error instanceof EngineUnavailableError) return { outcome: 'pending' as const };
    if (error instanceof WorkflowFailedError) return { outcome: 'unknown' as const, code: 'ATTEMPT_LOST' };
    throw error;
  }
}

/** Tells equal requests from others; salted with the command id, and encrypted with the memo that holds it. */
function markOf({ commandId, request }: BookingStart): string {
  return createHash('sha256')
    .update(JSON.stringify([commandId, request]))
    .digest('hex');
}
