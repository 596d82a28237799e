import { Counter, Histogram, type Registry } from 'prom-client';
import type { OnCall } from '../../platform/client/call.js';

/** Counts the requests to the platform. */
export function createPlatformMeasures(registry: Registry): OnCall {
  const registers = [registry];
  const requests = new Counter({
    name: 'handover_platform_requests_total',
    help: 'Requests to the platform by operation and outcome: answered, or the code of the error',
    labelNames: ['operation', 'outcome'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'handover_platform_request_seconds',
    help: 'Time from a request to the platform to its end',
    labelNames: ['operation'] as const,
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  return ({ operation, outcome, seconds: elapsed }) => {
    requests.inc({ operation, outcome });
    seconds.observe({ operation }, elapsed);
  };
}
