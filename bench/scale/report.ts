import type { ActionCounts } from './actions.js';
import type { Continued } from './continued.js';
import type { UnitCost } from './cost.js';
import type { ScaleOptions } from './options.js';
import type { ByComponent } from './processes.js';
import type { ReadTimes } from './reads.js';
import type { WorkerMetrics } from './workers.js';

/** The figures with one number of open reservations. */
export interface SizeReport {
  open: number;
  /** Of one process of each kind. */
  memoryMb: ByComponent;
  workers: WorkerMetrics[];
  /** From the end of the opening until what the processes use stayed as it was. */
  settledSeconds: number;
  /** Cores that all processes of a kind use while nothing happens. */
  idleCores: ByComponent;
  /** A registration on both channels, the first of its reservation. */
  opening: UnitCost & { callbacksPerSecond: number };
  /** A change, alone in its signal. */
  callback: UnitCost & { count: number; callbacksPerSecond: number };
  lifecycle: UnitCost & { count: number; seconds: number; actionsByName: ActionCounts };
  reads: { list: ReadTimes; board: ReadTimes };
  /** Callbacks that were stored while no worker ran. */
  backlog: {
    callbacks: number;
    storedPerSecond: number;
    acknowledgedMs: { p50: number; p99: number };
    /** From the start of the workers until all of them work, until the first callback is applied, and until the last. */
    readySeconds: number;
    firstSeconds: number;
    seconds: number;
    /** From the first on. */
    callbacksPerSecond: number;
  };
  continued: Continued;
  /** Bytes of the databases as a whole. */
  bytes: { handover: number; temporal: number };
  /** The largest share of the machine's CPU that other programs used during one part of it; null: not known. */
  others: number | null;
}

export interface ScaleReport {
  machine: { cores: number; node: string; platform: string; loadBefore: number[] };
  options: Pick<ScaleOptions, 'workers' | 'lifecycles' | 'concurrency'>;
  sizes: SizeReport[];
}
