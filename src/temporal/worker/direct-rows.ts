import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { InjectedSinks } from '@temporalio/worker';
import type { Activities } from '../../contract/activities.js';
import {
  type Recorded,
  type RecordInput,
  type RowSinks,
  rowsReturnedSignal,
} from '../../contract/reservation.js';
import type { TraceCarrier, Tracing } from '../../contract/tracing.js';
import { within } from '../../store/connection/within.js';
import { signalIfOpen } from '../client/signal-if-open.js';
import { traced } from './tracing.js';

/** Where rows go that workflows pass directly. */
export interface DirectRows {
  /** The `record` activity. */
  store: Activities['record'];
  /** Of the worker's namespace: returns what cannot be stored. */
  client: Client;
}

/** As long as a local activity may take: the workflow task waits, and with it queries and actions of the reservation. */
const storedWithinMs = 2_000;
const againAfterMs = 1_000;

/** The `record` activity of a worker that has the sink: its answer lets workflows pass their next rows directly. */
export function acceptingRows(store: DirectRows['store']): (rows: RecordInput) => Promise<Recorded> {
  return async (rows) => ({ ...(await store(rows)), direct: true });
}

/**
 * Stores rows that a workflow passes directly (`RowSinks`). The SDK completes a workflow task once its sinks have ended, so this one
 * ends only when the rows are stored, or Temporal has the signal that returns them, or has ended the workflow. Meanwhile the task
 * times out and is done again, here or by another worker; where this process ends, too.
 */
export function rowSinks(
  { store, client }: DirectRows,
  tracing: Tracing | undefined,
): InjectedSinks<RowSinks> {
  const isStored = (rows: RecordInput, trace: TraceCarrier | undefined) => {
    const written = traced(tracing, { name: 'record rows', trace, rows }, () => store(rows));
    return succeeds(within(storedWithinMs, written));
  };
  const isReturned = (workflowId: string, { verdicts, entries }: RecordInput) =>
    succeeds(signalIfOpen(client, workflowId, rowsReturnedSignal, { verdicts, entries }));
  return {
    rows: {
      store: {
        async fn({ workflowId }, rows, trace) {
          while (!((await isStored(rows, trace)) || (await isReturned(workflowId, rows))))
            await sleep(againAfterMs, undefined, { ref: false });
        },
        callDuringReplay: false,
      },
    },
  };
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
