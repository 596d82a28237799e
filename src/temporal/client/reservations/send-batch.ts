import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { reservationWorkflowId, taskQueue } from '../../../contract/names.js';
import { type EventBatch, eventsSignal, type StartSettings } from '../../../contract/reservation.js';
import type { EndedReservations } from '../../../store/reservations/ended.js';
import { CodecError, KeyStoreError } from '../../../store/sealing/errors.js';
import { EngineUnavailableError, engineCode } from '../../connection/unavailable.js';
import { EventsRefusedError, type SendBatch } from './send.js';
import { signalOrStart } from './signal.js';

export interface SendBatchOptions extends StartSettings {
  deadlineMs?: number;
  /** Absent: ended reservations are known only as long as Temporal stores them. */
  endedReservations?: Pick<EndedReservations, 'note' | 'forget'>;
}

/**
 * Sends by `signalWithStart`: an unknown reservation's workflow starts from whichever event comes first (L05); one
 * that has ended stays so: by the reuse policy `REJECT_DUPLICATE`, and once Temporal has forgotten it by its case file or,
 * where it was ended before its time, by its row in `ended_reservations`. A start that was refused as not encrypted was no
 * run of the reservation: it starts all the same.
 */
export function createSendBatch(client: Client, options: SendBatchOptions): SendBatch {
  const { policy, direct = false, deadlineMs = 10_000, endedReservations } = options;
  return async (reservationId, events, hasCaseFile, withinMs = deadlineMs, ended = null) => {
    const batch: EventBatch = { events, policy };
    const until = Date.now() + Math.min(deadlineMs, withinMs);
    const signal = async () => {
      const handle = client.workflow.getHandle(reservationWorkflowId(reservationId));
      await client.withDeadline(until, () => handle.signal(eventsSignal, batch));
      return null;
    };
    const start = { reservationId, policy, direct };
    const signalOrStartIt = () =>
      signalOrStart(client, { start, queue: taskQueue, signal: eventsSignal, input: batch }, until);
    let how: string | null;
    try {
      // after its case file is written a workflow still runs for a moment: what it accepts then is in the case file
      how = await (hasCaseFile || ended !== null ? signal() : signalOrStartIt());
      // it was reset, or a manager started it again
      if (ended !== null) await endedReservations?.forget(reservationId);
    } catch (error) {
      // a start never fails so: another component between us and the engine reported it
      if (hasCaseFile && error instanceof WorkflowNotFoundError) return 'closed';
      if (ended !== null && error instanceof WorkflowNotFoundError) {
        throw new EventsRefusedError(ended, { whicheverEvent: true });
      }
      throw classify(error);
    }
    if (how === null) return 'sent';
    if (how === 'COMPLETED') return 'closed';
    const code = `WORKFLOW_${how}`;
    // recorded because Temporal deletes the workflow after its retention
    await endedReservations?.note(reservationId, code, Date.now());
    // It was terminated, or it failed: its events wait for an operator, and the inbox states why.
    throw new EventsRefusedError(code, { whicheverEvent: true });
  };
}

/** Only a refused argument, or an event that cannot be encoded, is the events' own fault. */
function classify(error: unknown): Error {
  const isOwn = error instanceof CodecError || error instanceof KeyStoreError;
  if (isOwn || error instanceof EngineUnavailableError) return error;
  const code = engineCode(error);
  if (code === null) return new EventsRefusedError('NOT_ENCODED', { cause: error });
  return code === 'INVALID_ARGUMENT'
    ? new EventsRefusedError(code, { cause: error })
    : new EngineUnavailableError(code, { cause: error });
}
