import { poissonArrivals } from './arrivals.js';
import { Servers } from './queue.js';
import { exponential, randomFrom } from './random.js';

type JobKind = 'callback' | 'action';

/** One station on the way of a job. */
export interface Stage {
  name: string;
  servers: number;
  /** Mean service time in seconds; 0: this kind does not pass here. */
  seconds: Record<JobKind, number>;
  /** Longest time, uniformly from 0, before a callback joins the queue: until the next poll. */
  waitsUpTo?: number;
}

export interface Simulation {
  stages: readonly Stage[];
  /** Per second, at each second from the start. */
  rateAt: (second: number) => Record<JobKind, number>;
  /** The highest rates of the period. */
  most: Record<JobKind, number>;
  seconds: number;
  /** Callbacks that wait at the start. */
  backlog?: number;
  seed?: number;
}

export interface Delays {
  callbacks: number;
  /** Seconds from arrival until it is applied. */
  p50: number;
  p95: number;
  p99: number;
  /** The mean of those that came in the last tenth of the period to that of the first: above 1 the queue grows. */
  growth: number;
  within5s: number;
  /** When the last of the backlog was applied. */
  backlogSeconds: number;
}

interface Job {
  kind: JobKind;
  cameAt: number;
  at: number;
  isBacklog: boolean;
}

/** Sends every job through all stages, one stage after another: a discrete simulation of queues in a row. */
export function simulate({ stages, rateAt, most, seconds, backlog = 0, seed = 1 }: Simulation): Delays {
  const random = randomFrom(seed);
  const arrivals = (kind: JobKind): Job[] =>
    poissonArrivals(random, seconds, most[kind], (second) => rateAt(second)[kind]).map((at) => ({
      kind,
      cameAt: at,
      at,
      isBacklog: false,
    }));
  const waiting = Array.from(
    { length: backlog },
    (): Job => ({ kind: 'callback', cameAt: 0, at: 0, isBacklog: true }),
  );
  const jobs = [...waiting, ...arrivals('callback'), ...arrivals('action')];
  for (const stage of stages) pass(jobs, stage, random);
  return delaysOf(jobs, seconds);
}

/** Callbacks a second that the narrowest stage serves, beside these actions. */
export function capacity(
  stages: readonly Stage[],
  actionsPerSecond: number,
): { name: string; perSecond: number } {
  const all = stages
    .filter(({ seconds }) => seconds.callback > 0)
    .map(({ name, servers, seconds }) => ({
      name,
      perSecond: Math.max(servers - actionsPerSecond * seconds.action, 0) / seconds.callback,
    }));
  return all.reduce((least, one) => (one.perSecond < least.perSecond ? one : least));
}

/** Seconds until a backlog is applied while callbacks come on; infinite where they come as fast as they are applied. */
export function drainSeconds(backlog: number, capacityPerSecond: number, comingPerSecond: number): number {
  const spare = capacityPerSecond - comingPerSecond;
  return spare > 0 ? backlog / spare : Number.POSITIVE_INFINITY;
}

function pass(jobs: Job[], { servers, seconds, waitsUpTo = 0 }: Stage, random: () => number): void {
  if (waitsUpTo > 0) for (const job of jobs) if (job.kind === 'callback') job.at += random() * waitsUpTo;
  jobs.sort((a, b) => a.at - b.at);
  const queue = new Servers(servers);
  for (const job of jobs)
    if (seconds[job.kind] > 0) job.at = queue.serve(job.at, exponential(random, seconds[job.kind]));
}

function delaysOf(jobs: readonly Job[], seconds: number): Delays {
  const callbacks = jobs.filter(({ kind, isBacklog }) => kind === 'callback' && !isBacklog);
  const delays = Float64Array.from(callbacks, ({ at, cameAt }) => at - cameAt).sort();
  const atShare = (share: number) =>
    delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? 0;
  const meanFrom = (from: number, to: number) => {
    const of = callbacks.filter(({ cameAt }) => cameAt >= from * seconds && cameAt < to * seconds);
    return of.reduce((sum, { at, cameAt }) => sum + at - cameAt, 0) / Math.max(of.length, 1);
  };
  const first = meanFrom(0, 0.1);
  return {
    callbacks: callbacks.length,
    p50: atShare(0.5),
    p95: atShare(0.95),
    p99: atShare(0.99),
    growth: first === 0 ? 1 : meanFrom(0.9, 1) / first,
    within5s: delays.filter((delay) => delay <= 5).length / Math.max(delays.length, 1),
    backlogSeconds: jobs.reduce((last, { isBacklog, at }) => (isBacklog ? Math.max(last, at) : last), 0),
  };
}
