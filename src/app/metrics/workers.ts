import type { Registry } from 'prom-client';
import { within } from '../../store/connection/within.js';
import type { WorkerHealth } from '../parts/worker-health.js';
import { readAtScrape } from './read-at-scrape.js';

/** Below the limit of the read, which would leave all parts without a value. */
const probeWithinMs = 1_500;

/** Shows whether each part of a worker's process works, as `/readyz` sees it: 1 or 0. */
export function showWorkers(registry: Registry, health: Pick<WorkerHealth, 'readiness'>): void {
  const probes = health.readiness();
  const read = () =>
    Promise.all(
      Object.entries(probes).map(async ([part, probe]) => ({
        labels: { part },
        value: await within(probeWithinMs, probe()).then(
          () => 1,
          () => 0,
        ),
      })),
    );
  readAtScrape(registry, read)(
    'handover_worker_ready',
    'Parts of this worker that work: its connection to Temporal, its pollers, its relay',
    (samples) => samples,
    ['part'],
  );
}
