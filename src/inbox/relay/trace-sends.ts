import type { NewSpan, OpenSpan, TraceParent, Tracing } from '../../contract/tracing.js';
import { codeOf } from '../../contract/tracing.js';
import type { ReservationEvent } from '../../domain/reservation/types.js';
import type { InboxRow } from '../../store/callbacks/types.js';

type TracedRow = Pick<InboxRow, 'id' | 'headers'>;

/**
 * Runs one send in a span of each of its callbacks, in the trace in which the callback was received. The send itself is a
 * part of the first; the place of every callback goes with it.
 */
export async function traceSend<T>(
  tracing: Tracing | undefined,
  { reservationId, rows }: { reservationId: number; rows: readonly TracedRow[] },
  events: readonly ReservationEvent[],
  send: () => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return send();
  const sent = new Set(events.map(({ inboxId }) => inboxId));
  const traced = rows.filter(({ id, headers }) => sent.has(id) && headers.traceparent !== undefined);
  const [first] = traced;
  if (first === undefined) return send();
  const spans: OpenSpan[] = [];
  const callbacks: Record<string, TraceParent> = {};
  for (const { id, headers } of traced) {
    const attributes = { 'handover.reservation.id': reservationId, 'handover.inbox.id': id };
    const span: NewSpan = { name: 'relay', kind: 'consumer', parent: headers.traceparent, attributes };
    // filled below, before the send begins
    const opened = tracing.begin({ ...span, callbacks });
    callbacks[id] = opened.traceparent;
    spans.push(opened);
  }
  const endAll = (failed?: string) => {
    for (const span of spans) span.end(failed === undefined ? {} : { failed });
  };
  try {
    const result = await (spans[0] as OpenSpan).run(send);
    endAll();
    return result;
  } catch (error) {
    endAll(codeOf(error));
    throw error;
  }
}
