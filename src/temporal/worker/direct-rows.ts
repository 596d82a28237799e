import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { InjectedSinks } from '@temporalio/worker';
import type { WorkflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../contract/activities.js';
import {
  type Recorded,
  type RecordInput,
  type RowSinks,
  rowsReturnedSignal,
} from '../../contract/reservation.js';
import type { TraceCarrier, Tracing } from '../../contract/tracing.js';
import { unstoredOf } from '../../contract/unstored-rows.js';
import { within } from '../../store/connection/within.js';
import { ifFound, inTime } from '../client/calls.js';
import { runTraced, sendBack } from './tracing.js';

/** What a worker does with rows that reservations pass to it directly. */
export interface DirectRows {
  /** The `record` activity. */
  store: Activities['record'];
  /** Returns what cannot be stored. It must not need the database: its converter is `withoutWaitingForKeys`. */
  client: Client;
  /** False: no further run passes rows directly; those that do already continue. */
  isOffered: boolean;
  /** Called when a write has failed, or took too long. */
  onFailed?(error: unknown): void;
}

type Run = Pick<WorkflowInfo, 'workflowId' | 'runId'>;

/** As long as a local activity may take: the workflow task waits, and with it queries and actions of the reservation. */
const storedWithinMs = 2_000;
/** Both together are over before Temporal gives the task to another worker, after ten seconds. */
const returnedWithinMs = 6_000;
const againAfterMs = 1_000;

/** The `record` activity of a worker that offers the sink: its answer lets the run pass its next rows directly. */
export function offerSink(store: DirectRows['store']): (rows: RecordInput) => Promise<Recorded> {
  return async (rows) => ({ ...(await store(rows)), direct: true });
}

/**
 * Stores rows that a workflow passes directly (`RowSinks`). The SDK completes a workflow task once its sinks have ended, so this one
 * ends only when the rows are stored, or Temporal has the signal that returns them, or has ended the workflow. Meanwhile the task
 * times out and is done again, here or by another worker; where this process ends, too.
 * @param isOver the worker has stopped: it completes nothing any more
 */
export function rowSinks(
  { store, client, onFailed = () => {} }: DirectRows,
  tracing: Tracing | undefined,
  isOver: () => boolean,
): InjectedSinks<RowSinks> {
  const isStored = (rows: RecordInput, trace: TraceCarrier | undefined) => {
    const written = runTraced(tracing, { name: 'record rows', trace, rows }, () => store(rows));
    return succeeds(within(storedWithinMs, written), onFailed);
  };
  // to this run alone: after a reset the new one decides again
  const isReturned = (run: Run, rows: RecordInput, trace: TraceCarrier | undefined) => {
    const returned = unstoredOf(rows);
    const handle = client.workflow.getHandle(run.workflowId, run.runId);
    const send = () => inTime(client, returnedWithinMs, () => handle.signal(rowsReturnedSignal, returned));
    return succeeds(ifFound(sendBack(tracing, trace, send)));
  };
  return {
    rows: {
      store: {
        async fn(run, rows, trace) {
          while (!isOver()) {
            if ((await isStored(rows, trace)) || (await isReturned(run, rows, trace))) return;
            await sleep(againAfterMs, undefined, { ref: false });
          }
        },
        callDuringReplay: false,
      },
    },
  };
}

function succeeds(work: Promise<unknown>, onFailed: (error: unknown) => void = () => {}): Promise<boolean> {
  return work.then(
    () => true,
    (error) => {
      onFailed(error);
      return false;
    },
  );
}
