import { availableParallelism } from 'node:os';
import type { CallbackWatch } from './callback-watch.js';
import { cpuMs, machineMs } from './cpu.js';
import type { Lifecycles, Played } from './lifecycle.js';
import { percentile, rounded } from './statistics.js';
import type { Processes, Target } from './target.js';

export interface Side {
  target: Target;
  lifecycles: Lifecycles;
  callbacks: CallbackWatch;
  stop(): Promise<void>;
}

/** Figures of one side in one round. Times are milliseconds; null where the machine has no /proc. */
export interface Figures {
  lifecyclesPerSecond: number;
  acknowledgement: Latency;
  action: Latency;
  /** Writes without an answer in time, sent again with their key. Above 0 the machine is too busy for a measurement. */
  sentAgain: number;
  /** CPU of each process per lifecycle. */
  cpu: Record<keyof Required<Processes> | 'client', number | null>;
  /** CPU of program and engine together. */
  cpuPerLifecycle: number | null;
  /** The share of the machine's CPU that other programs used, 0 to 1. */
  others: number | null;
}
export interface Latency {
  p50: number | null;
  p99: number | null;
  samples: number;
}

/** Plays `count` whole lifecycles, `concurrency` at a time. @throws the error of the first that fails */
export async function playRound(
  { target, lifecycles, callbacks }: Side,
  count: number,
  concurrency: number,
): Promise<{ figures: Figures; played: Played[] }> {
  lifecycles.takeActions();
  lifecycles.takeSentAgain();
  callbacks.take();
  const before = await clocks(target);
  const began = performance.now();
  const played: Played[] = [];
  let left = count;
  const lane = async () => {
    while (left-- > 0) played.push(await lifecycles.play());
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, lane));
  const elapsedMs = performance.now() - began;
  const used = difference(await clocks(target), before);
  const each = (ms: number | null) => (ms === null ? null : Math.round(ms / count));
  const { machine, ...processes } = used;
  return {
    played,
    figures: {
      lifecyclesPerSecond: rounded((count / elapsedMs) * 1000, 2),
      acknowledgement: latency(callbacks.take()),
      action: latency(lifecycles.takeActions()),
      sentAgain: lifecycles.takeSentAgain(),
      cpu: {
        program: each(used.program),
        engine: each(used.engine),
        sandbox: each(used.sandbox),
        client: each(used.client),
      },
      cpuPerLifecycle: each(sumOf([used.program, used.engine])),
      others: othersOf(machine, sumOf(Object.values(processes)), elapsedMs),
    },
  };
}

type Clocks = Record<keyof Figures['cpu'] | 'machine', number | null>;

async function clocks({ processes }: Target): Promise<Clocks> {
  const { program, engine, sandbox } = processes;
  const [ofProgram, ofEngine, ofSandbox, client, machine] = await Promise.all([
    cpuMs([program]),
    cpuMs([engine]),
    cpuMs(sandbox === undefined ? [] : [sandbox]),
    cpuMs([process.pid]),
    machineMs(),
  ]);
  return { program: ofProgram, engine: ofEngine, sandbox: ofSandbox, client, machine };
}

function difference(after: Clocks, before: Clocks): Clocks {
  const pairs = Object.entries(after).map(([name, ms]) => {
    const earlier = before[name as keyof Clocks];
    return [name, ms === null || earlier === null ? null : ms - earlier];
  });
  return Object.fromEntries(pairs);
}

function sumOf(values: (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}

function othersOf(machine: number | null, ours: number | null, elapsedMs: number): number | null {
  if (machine === null || ours === null) return null;
  return rounded(Math.max(machine - ours, 0) / (elapsedMs * availableParallelism()), 2);
}

function latency(samples: number[]): Latency {
  const at = (share: number) => {
    const value = percentile(samples, share);
    return value === null ? null : rounded(value, 1);
  };
  return { p50: at(0.5), p99: at(0.99), samples: samples.length };
}
