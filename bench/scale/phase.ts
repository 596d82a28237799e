import { availableParallelism } from 'node:os';
import { cpuMs, machineMs } from '../cpu.js';
import { rounded } from '../statistics.js';
import type { Written } from './database.js';
import { type ByComponent, cpuOf, each, treeMs } from './processes.js';
import type { Stage } from './stage.js';

/** What one part of the measurement used. */
export interface Phase {
  seconds: number;
  /** CPU milliseconds of each kind of process. */
  cpu: ByComponent;
  handover: Written;
  temporal: Written;
  /** The share of the machine's CPU that other programs used, 0 to 1; null: not known. */
  others: number | null;
}

/** Does `work` and measures what it uses. */
export async function measurePhase<T>(
  stage: Stage,
  work: () => Promise<T>,
): Promise<{ phase: Phase; result: T }> {
  const before = await readings(stage);
  const began = performance.now();
  const result = await work();
  const seconds = (performance.now() - began) / 1000;
  const after = await readings(stage);
  const cpu = each((name) => Math.max(after.cpu[name] - before.cpu[name], 0));
  const ours = Object.values(cpu).reduce((sum, ms) => sum + ms, after.beside - before.beside);
  const machine = after.machine === null || before.machine === null ? null : after.machine - before.machine;
  return {
    result,
    phase: {
      seconds: rounded(seconds, 2),
      cpu,
      handover: difference(after.handover, before.handover),
      temporal: difference(after.temporal, before.temporal),
      others:
        machine === null
          ? null
          : rounded(Math.max(machine - ours, 0) / (seconds * 1000 * availableParallelism()), 2),
    },
  };
}

async function readings(stage: Stage) {
  const { handover, temporal, platform, cluster } = stage;
  const [cpu, ofHandover, ofTemporal, programs, database, machine] = await Promise.all([
    cpuOf(stage),
    handover.written(),
    temporal.written(),
    cpuMs([process.pid, cluster.programs.sandbox?.pid ?? 0]),
    treeMs(platform.pid),
    machineMs(),
  ]);
  return { cpu, handover: ofHandover, temporal: ofTemporal, beside: (programs ?? 0) + database, machine };
}

function difference(after: Written, before: Written): Written {
  return {
    walBytes: after.walBytes - before.walBytes,
    rows: after.rows - before.rows,
    commits: after.commits - before.commits,
  };
}
