import { readFile } from 'node:fs/promises';

/** /proc counts CPU time in hundredths of a second. */
const tickMs = 10;

/** CPU milliseconds of these processes since their start, user and system; null where the machine has no /proc. */
export async function cpuMs(pids: readonly number[]): Promise<number | null> {
  try {
    const all = await Promise.all(pids.map(readStat));
    return all.reduce((sum, { ownMs }) => sum + ownMs, 0);
  } catch {
    return null;
  }
}

export interface ProcessStat {
  /** Process id of its parent. */
  parent: number;
  /** CPU milliseconds since its start, user and system. */
  ownMs: number;
  /** Those of its children that have ended. */
  endedChildrenMs: number;
}

/** Fields 4 and 14 to 17 of proc(5); the name in field 2 may hold spaces. @throws Error where no such process runs */
export async function readStat(pid: number): Promise<ProcessStat> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    parent: field(4),
    ownMs: (field(14) + field(15)) * tickMs,
    endedChildrenMs: (field(16) + field(17)) * tickMs,
  };
}

/** CPU milliseconds of the whole machine since its start, including time that its host withheld; null without /proc. */
export async function machineMs(): Promise<number | null> {
  try {
    const [first = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = first
      .split(/\s+/)
      .slice(1)
      .map(Number);
    return (user + nice + system + irq + softirq + steal) * tickMs;
  } catch {
    return null;
  }
}

/** Resident memory of a process in MB; null where the machine has no /proc. */
export async function residentMb(pid: number): Promise<number | null> {
  try {
    const kb = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kb === undefined ? null : Math.round(Number(kb) / 1024);
  } catch {
    return null;
  }
}
