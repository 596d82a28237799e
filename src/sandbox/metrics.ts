import { Counter, Histogram, Registry } from 'prom-client';
import type { SendResult } from './callbacks/sender.js';

/** What the sandbox counts since its start, for its `/metrics`; real time, whatever its clock shows. */
export interface SandboxMetrics {
  registry: Registry;
  /** A call of the platform's operations. `operation` null: an unknown path; `status` null: the caller got no answer. */
  countRequest(call: { operation: string | null; status: number | null; seconds: number }): void;
  /** An attempt to deliver a callback; an empty result: it was withheld. */
  countCallback(attempt: { kind: string; result: Partial<SendResult>; seconds: number }): void;
}

export function createSandboxMetrics(): SandboxMetrics {
  const registry = new Registry();
  const registers = [registry];
  const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
  const requests = new Counter({
    name: 'handover_sandbox_requests_total',
    help: 'Calls of the platform by operation and HTTP status; none: unknown path, or no answer',
    labelNames: ['operation', 'status'] as const,
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'handover_sandbox_request_seconds',
    help: 'Time from a call of the platform to its answer',
    labelNames: ['operation'] as const,
    buckets,
    registers,
  });
  const callbacks = new Counter({
    name: 'handover_sandbox_callbacks_total',
    help: 'Attempts to deliver a callback, by kind and outcome',
    labelNames: ['kind', 'outcome'] as const,
    registers,
  });
  const callbackSeconds = new Histogram({
    name: 'handover_sandbox_callback_seconds',
    help: 'Time from sending a callback to the acknowledgement of its receiver',
    buckets,
    registers,
  });
  return {
    registry,
    countRequest({ operation, status, seconds }) {
      const named = operation ?? 'none';
      requests.inc({ operation: named, status: String(status ?? 'none') });
      requestSeconds.observe({ operation: named }, seconds);
    },
    countCallback({ kind, result, seconds }) {
      callbacks.inc({ kind, outcome: outcomeOf(result) });
      if (result.acknowledged) callbackSeconds.observe(seconds);
    },
  };
}

function outcomeOf({ acknowledged, status }: Partial<SendResult>): string {
  if (acknowledged === undefined) return 'withheld';
  if (acknowledged) return 'acknowledged';
  return status === null ? 'unanswered' : 'refused';
}
