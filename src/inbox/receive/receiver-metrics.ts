import { Counter, Histogram, type Registry } from 'prom-client';

/** One answer of the receiver. */
export interface CountedAnswer {
  channel: string;
  /** The code of the refusal, or `stored`. */
  outcome: string;
  /** Of HTTP. */
  status: number;
  /** From the headers to the answer. */
  seconds: number;
}

/** What the receiver reports to `/metrics`. */
export interface ReceiverMetrics {
  countAnswer(answer: CountedAnswer): void;
}

/** The outcomes that count for the service level: a first event from nothing would be no increase. */
const shownFromStart = ['stored', 'STORE_UNAVAILABLE', 'INTAKE_OVERLOADED'];

/** @param channels of the wire profile */
export function createReceiverMetrics(
  registry: Registry,
  channels: readonly string[],
): ReceiverMetrics & { reusedIds(events: number): void; storedRows(events: number): void } {
  const labelNames = ['channel', 'outcome'] as const;
  const count = new Counter({
    name: 'handover_callbacks_total',
    help: 'Callbacks by what became of them: stored, or the code of the refusal',
    labelNames,
    registers: [registry],
  });
  for (const channel of channels) for (const outcome of shownFromStart) count.inc({ channel, outcome }, 0);
  const acknowledged = new Histogram({
    name: 'handover_callbacks_acknowledged_seconds',
    help: 'Time from the headers of a stored callback to its acknowledgement',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const reused = new Counter({
    name: 'handover_callbacks_reused_ids_total',
    help: 'Callbacks under the webhook-id of another content: stored as events of their own',
    registers: [registry],
  });
  const rows = new Counter({
    name: 'handover_callbacks_stored_rows_total',
    help: 'Callbacks that were stored as rows of their own: without repeats, which are acknowledged too',
    registers: [registry],
  });
  return {
    storedRows: (events) => rows.inc(events),
    reusedIds: (events) => reused.inc(events),
    countAnswer({ channel, outcome, seconds }) {
      count.inc({ channel, outcome });
      if (outcome === 'stored') acknowledged.observe(seconds);
    },
  };
}
