import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { InjectedSinks } from '@temporalio/worker';
import type { Activities } from '../../contract/activities.js';
import {
  type Recorded,
  type RecordInput,
  type RowSinks,
  rowsReturnedSignal,
} from '../../contract/reservation.js';
import type { Tracing } from '../../contract/tracing.js';
import { within } from '../../store/connection/within.js';
import { traced } from './tracing.js';

type Store = Activities['record'];

/** As long as a local activity may take: the workflow task waits, and with it queries and actions of the reservation. */
const storedWithinMs = 2_000;
const returnedWithinMs = 3_000;
const againAfterMs = 1_000;

/** The `record` activity of a worker that has the sink: its answer lets workflows pass their next rows directly. */
export function acceptingRows(store: Store): (rows: RecordInput) => Promise<Recorded> {
  return async (rows) => ({ ...(await store(rows)), direct: true });
}

/**
 * Stores rows that a workflow passes directly (`RowSinks`). The SDK completes a workflow task once its sinks have ended, so this one
 * ends only when the rows are stored or Temporal has the signal that returns them. Meanwhile the task times out and is done
 * again, here or by another worker; where this process ends, too.
 * @param client of the worker's namespace
 */
export function rowSinks(
  store: Store,
  client: Pick<Client, 'workflow'>,
  tracing: Tracing | undefined,
): InjectedSinks<RowSinks> {
  return {
    rows: {
      store: {
        async fn({ workflowId }, rows, trace) {
          const write = () => traced(tracing, { name: 'record rows', trace, rows }, () => store(rows));
          while (!((await isStored(write)) || (await isReturned(client, workflowId, rows))))
            await sleep(againAfterMs, undefined, { ref: false });
        },
        callDuringReplay: false,
      },
    },
  };
}

function isStored(write: () => Promise<unknown>): Promise<boolean> {
  return within(storedWithinMs, write()).then(
    () => true,
    () => false,
  );
}

/** Also true where the workflow has ended: then no worker can complete its task. */
async function isReturned(
  client: Pick<Client, 'workflow'>,
  workflowId: string,
  { verdicts, entries }: RecordInput,
): Promise<boolean> {
  const handle = client.workflow.getHandle(workflowId);
  try {
    await within(returnedWithinMs, handle.signal(rowsReturnedSignal, { verdicts, entries }));
    return true;
  } catch (error) {
    return error instanceof WorkflowNotFoundError;
  }
}
