import type { HistoryAndWorkflowId } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { type ReplayResult, Worker, type WorkflowBundlePath } from '@temporalio/worker';
import { refuseUnencrypted } from './refuse-unencrypted.js';

/**
 * Replays histories on the workflow code of `bundle`, as a worker would.
 * @param dataConverter the clients'
 * @returns one result for each history, with the error where the code does not fit it
 */
export function replayHistories(
  bundle: WorkflowBundlePath,
  dataConverter: DataConverter,
  histories: AsyncIterable<HistoryAndWorkflowId> | Iterable<HistoryAndWorkflowId>,
): AsyncIterable<ReplayResult> {
  return Worker.runReplayHistories(
    { workflowBundle: bundle, dataConverter: replayConverter(dataConverter) },
    histories,
  );
}

/** As a worker has it. Bindings are not compared: the SDK replays every history in a namespace of its own. */
export function replayConverter(converter: DataConverter): DataConverter {
  return refuseUnencrypted({
    ...converter,
    payloadCodecs: (converter.payloadCodecs ?? []).map((codec) => ({
      encode: (payloads) => codec.encode(payloads),
      decode: (payloads) => codec.decode(payloads),
    })),
  });
}
