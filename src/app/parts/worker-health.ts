import type { ShardOwner } from '../../inbox/relay/shard-owner.js';
import type { Probe } from '../../temporal/client/probes.js';
import type { ProcessWorkers } from './workers.js';

type Parts = { workers: Pick<ProcessWorkers, 'polling' | 'abandoned'>; relay: Pick<ShardOwner, 'stuckMs'> };

/** Names of the supervised workers. */
const workers = ['worker', 'activity worker', 'scan worker'] as const;
type Checked = (typeof workers)[number] | 'relay';

/** Longest time in milliseconds that a restart of the workers, or a stall of the machine, may take. */
const graceMs = 60_000;
/** Workers that were replaced and never finished: each keeps some 100 MB at most for a thousand cached workflows, until the process ends. */
export const mostAbandoned = 10;
/** Every step of the relay has a deadline below this. */
const relayStuckMs = 120_000;

/**
 * Health of the parts of a worker's process. Live: a restart would not help. Ready: each part works now. While Temporal
 * is unreachable no worker polls, and each still counts as live.
 */
export class WorkerHealth {
  private parts: Parts | undefined;
  private readonly failingSince = new Map<Checked, number>();

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly isConnected: () => boolean,
    private readonly now: () => number = () => performance.now(),
  ) {}

  attach(parts: Parts): void {
    this.parts = parts;
  }

  /** For `/healthz`. */
  liveness(): Record<Checked, Probe> {
    return {
      ...this.eachWorker(
        (name) =>
          (this.isPolling(name) || this.isExcused(name) || this.inGrace(name)) && !this.isWornOut(name),
      ),
      relay: probeOf(() => this.isRelayTurning()),
    };
  }

  /** For `/readyz`. */
  readiness(): Record<Checked | 'temporal', Probe> {
    return {
      temporal: probeOf(() => this.isConnected()),
      ...this.eachWorker((name) => this.isPolling(name)),
      relay: probeOf(() => this.parts !== undefined && this.isRelayTurning()),
    };
  }

  private eachWorker(isWell: (name: Checked) => boolean): Record<(typeof workers)[number], Probe> {
    const probes = workers.map((name) => [name, probeOf(() => isWell(name))]);
    return Object.fromEntries(probes) as Record<(typeof workers)[number], Probe>;
  }

  private isPolling(name: Checked): boolean {
    const polls = this.parts?.workers.polling()[name] ?? false;
    if (polls) this.failingSince.delete(name);
    return polls;
  }

  /** True while Temporal is unreachable; afterwards the worker has the whole grace period to start again. */
  private isExcused(name: Checked): boolean {
    const isExcused = !this.isConnected();
    if (isExcused) this.failingSince.delete(name);
    return isExcused;
  }

  private inGrace(name: Checked): boolean {
    const since = this.failingSince.get(name) ?? this.now();
    this.failingSince.set(name, since);
    return this.now() - since < graceMs;
  }

  /** Only a restart frees what the workers that were replaced still keep. */
  private isWornOut(name: Checked): boolean {
    return name === 'worker' && (this.parts?.workers.abandoned ?? 0) >= mostAbandoned;
  }

  private isRelayTurning(): boolean {
    return (this.parts?.relay.stuckMs() ?? 0) < relayStuckMs;
  }
}

function probeOf(isWell: () => boolean): Probe {
  return async () => {
    if (!isWell()) throw new Error('not well');
  };
}
