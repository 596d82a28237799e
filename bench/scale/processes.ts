import { readFile } from 'node:fs/promises';
import { readStat, residentMb } from '../cpu.js';
import type { Stage } from './stage.js';

export const components = ['api', 'worker', 'temporal', 'handoverDb', 'temporalDb'] as const;
export type Component = (typeof components)[number];
export type ByComponent = Record<Component, number>;

function processesOf({ cluster, workers, handover, temporal }: Stage): Record<Component, number[]> {
  const pidOf = (name: string) => cluster.programs[name]?.pid ?? 0;
  return {
    api: ['api-1', 'api-2'].map(pidOf),
    worker: workers.pids,
    temporal: [pidOf('temporal')],
    handoverDb: [handover.pid],
    temporalDb: [temporal.pid],
  };
}

/** CPU milliseconds since their start, with children that live and those that have ended. */
export async function cpuOf(stage: Stage): Promise<ByComponent> {
  return ofEach(stage, async (pids) => sum(await Promise.all(pids.map(treeMs))));
}

/** MB of one process of each kind, on average: resident; of a database all its processes, shared pages once. */
export async function memoryOf(stage: Stage): Promise<ByComponent> {
  return ofEach(stage, async (pids, name) => {
    const mbOf = name.endsWith('Db') ? proportionalMb : residentMb;
    const all = await Promise.all(pids.map(async (pid) => (await mbOf(pid)) ?? 0));
    return Math.round(sum(all) / Math.max(pids.length, 1));
  });
}

export function each(read: (component: Component) => number): ByComponent {
  return Object.fromEntries(components.map((name) => [name, read(name)])) as ByComponent;
}

async function ofEach(
  stage: Stage,
  read: (pids: number[], name: Component) => Promise<number>,
): Promise<ByComponent> {
  const processes = processesOf(stage);
  const values = await Promise.all(components.map((name) => read(processes[name], name)));
  return each((name) => values[components.indexOf(name)] ?? 0);
}

/** CPU milliseconds of a process since its start, with children that live and those that have ended. */
export async function treeMs(pid: number): Promise<number> {
  const stat = await readStat(pid).catch(() => undefined);
  if (stat === undefined) return 0;
  const own = stat.ownMs + stat.endedChildrenMs;
  return own + sum(await Promise.all((await childrenOf(pid)).map(treeMs)));
}

async function proportionalMb(pid: number): Promise<number> {
  const all = [pid, ...(await childrenOf(pid))].map(async (one) => {
    const text = await readFile(`/proc/${one}/smaps_rollup`, 'utf8').catch(() => '');
    return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0);
  });
  return sum(await Promise.all(all)) / 1024;
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
