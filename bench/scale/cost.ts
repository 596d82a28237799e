import { rounded } from '../statistics.js';
import type { Phase } from './phase.js';
import { type ByComponent, type Component, components, each as eachComponent } from './processes.js';

/** What one reservation, one callback or one lifecycle costs. */
export interface Cost {
  /** CPU milliseconds of each kind of process, without what it uses while nothing happens. */
  cpuMs: ByComponent;
  /** Events in histories. */
  events: number;
  /** Actions of Temporal Cloud, queries excepted. */
  cloudActions: number;
  /** Rows that are written in Handover's database, and bytes of its write-ahead log. */
  handoverRows: number;
  handoverWalBytes: number;
  /** Bytes by which Handover's database grows. */
  handoverBytes: number;
  /** Transactions of Temporal's databases, and bytes of their write-ahead log. */
  temporalCommits: number;
  temporalWalBytes: number;
  temporalBytes: number;
}

/** As it was measured. */
export interface UnitCost extends Cost {
  /**
   * CPU milliseconds with nothing taken off. Processes that have work may do less of what they do otherwise, so that what `cpuMs` takes
   * off may be more than they used.
   */
  wholeCpuMs: ByComponent;
}

export type Scalar = Exclude<keyof Cost, 'cpuMs'>;
export const scalars: readonly Scalar[] = [
  'events',
  'cloudActions',
  'handoverRows',
  'handoverWalBytes',
  'handoverBytes',
  'temporalCommits',
  'temporalWalBytes',
  'temporalBytes',
];

export interface MeasuredCost {
  phase: Phase;
  /** What all processes use without any work, in cores: it is no unit's cost. */
  idleCores: ByComponent;
  units: number;
  /** Of one unit. */
  history: { events: number; cloudActions: number };
  /** Bytes by which the databases have grown. */
  grown: { handover: number; temporal: number };
}

/** The cost of one unit of what was done in a phase. */
export function costOf({ phase, idleCores, units, history, grown }: MeasuredCost): UnitCost {
  const each = (value: number) => rounded(value / units, 1);
  const idleMs = (name: Component) => idleCores[name] * phase.seconds * 1000;
  return {
    cpuMs: eachComponent((name) => each(Math.max(phase.cpu[name] - idleMs(name), 0))),
    wholeCpuMs: eachComponent((name) => each(phase.cpu[name])),
    ...history,
    handoverRows: each(phase.handover.rows),
    handoverWalBytes: Math.round(phase.handover.walBytes / units),
    handoverBytes: Math.round(grown.handover / units),
    temporalCommits: each(phase.temporal.commits),
    temporalWalBytes: Math.round(phase.temporal.walBytes / units),
    temporalBytes: Math.round(grown.temporal / units),
  };
}

export function totalMs(cpuMs: ByComponent): number {
  return Math.round(components.reduce((sum, name) => sum + cpuMs[name], 0));
}
