import type { CallbackWatch } from './callback-watch.js';
import { cpuMs } from './cpu.js';
import type { Lifecycles, Played } from './lifecycle.js';
import { percentile, rounded } from './statistics.js';
import type { Target } from './target.js';

export interface Side {
  target: Target;
  player: Lifecycles;
  callbacks: CallbackWatch;
}

/** What one side did in one round. Times are milliseconds. */
export interface Figures {
  lifecyclesPerSecond: number;
  acknowledgement: Latency;
  action: Latency;
  /** Writes that got no answer in time and were sent again with their key: a machine too busy to measure on. */
  askedAgain: number;
  /** Program and engine together; null where the machine does not report it. */
  cpuPerLifecycle: number | null;
  /** Of each process: program, engine. */
  cpuOfEach: (number | null)[];
}
export interface Latency {
  p50: number | null;
  p99: number | null;
  samples: number;
}

/** Plays `lifecycles` whole lifecycles, `concurrency` at a time. @throws what the first failing one met */
export async function playRound(
  { target, player, callbacks }: Side,
  lifecycles: number,
  concurrency: number,
): Promise<{ figures: Figures; played: Played[] }> {
  player.takeActions();
  player.takeSentAgain();
  callbacks.take();
  const before = await cpuOfEach(target);
  const began = performance.now();
  const played: Played[] = [];
  let left = lifecycles;
  const lane = async () => {
    while (left-- > 0) played.push(await player.play());
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, lifecycles) }, lane));
  const seconds = (performance.now() - began) / 1000;
  const after = await cpuOfEach(target);
  const each = after.map((value, index) => perLifecycle(before[index] ?? null, value, lifecycles));
  return {
    played,
    figures: {
      lifecyclesPerSecond: rounded(lifecycles / seconds, 2),
      acknowledgement: latency(callbacks.take()),
      action: latency(player.takeActions()),
      askedAgain: player.takeSentAgain(),
      cpuPerLifecycle: each.includes(null) ? null : each.reduce<number>((sum, ms) => sum + (ms ?? 0), 0),
      cpuOfEach: each,
    },
  };
}

const cpuOfEach = ({ pids }: Target) => Promise.all(pids.map((pid) => cpuMs([pid])));

function perLifecycle(before: number | null, after: number | null, lifecycles: number): number | null {
  return before === null || after === null ? null : Math.round((after - before) / lifecycles);
}

function latency(samples: number[]): Latency {
  const at = (share: number) => {
    const value = percentile(samples, share);
    return value === null ? null : rounded(value, 1);
  };
  return { p50: at(0.5), p99: at(0.99), samples: samples.length };
}
