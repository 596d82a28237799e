import type { HistoryAndWorkflowId } from '@temporalio/client';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { type InjectedSinks, type ReplayResult, Worker, type WorkflowBundlePath } from '@temporalio/worker';
import type { RowSinks } from '../../contract/reservation.js';
import { refuseUnencrypted } from './refuse-unencrypted.js';
import { tracingSinks } from './tracing.js';

/** `unreadBecause`: why a payload could not be decrypted. The SDK reports that as a failed task, as it does an error of the code. */
type Replayed = ReplayResult & { unreadBecause?: Error };

/**
 * Replays histories on the workflow code of `bundle`, as a worker would.
 * @param dataConverter the clients'
 * @returns one result for each history, with the error where the code does not fit it, or where it could not be read
 */
export async function* replayHistories(
  bundle: WorkflowBundlePath,
  dataConverter: DataConverter,
  histories: AsyncIterable<HistoryAndWorkflowId> | Iterable<HistoryAndWorkflowId>,
): AsyncGenerator<Replayed> {
  const causes = new Map<string, Error>();
  const converter = onUnread(replayConverter(dataConverter), (workflowId, error) =>
    causes.set(workflowId, error),
  );
  // they are called by no replay, and where none is registered each call is logged as an error
  const rows: InjectedSinks<RowSinks> = { rows: { store: { fn: () => {}, callDuringReplay: false } } };
  const sinks = { ...tracingSinks(undefined), ...rows };
  const options = { workflowBundle: bundle, dataConverter: converter, sinks };
  for await (const result of Worker.runReplayHistories(options, histories)) {
    const unreadBecause = causes.get(result.workflowId);
    yield { ...result, ...(unreadBecause && { unreadBecause }) };
  }
}

function onUnread(
  converter: DataConverter,
  record: (workflowId: string, error: Error) => void,
): DataConverter {
  const payloadCodecs = (converter.payloadCodecs ?? []).map(
    (codec): PayloadCodec => ({
      encode: (payloads, context) => codec.encode(payloads, context),
      decode: (payloads, context) =>
        codec.decode(payloads, context).catch((error: Error) => {
          record(context?.workflowId ?? '', error);
          throw error;
        }),
    }),
  );
  return { ...converter, payloadCodecs };
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
