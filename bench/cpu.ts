import { readFile } from 'node:fs/promises';

/** Linux counts CPU time in hundredths of a second there. */
const tickMs = 10;

/** CPU milliseconds of these processes so far, user and system; null where the machine has no /proc. */
export async function cpuMs(pids: readonly number[]): Promise<number | null> {
  try {
    const used = await Promise.all(
      pids.map(async (pid) => ticks(await readFile(`/proc/${pid}/stat`, 'utf8'))),
    );
    return used.reduce((sum, each) => sum + each, 0) * tickMs;
  } catch {
    return null;
  }
}

/** Fields 14 and 15 of proc(5); the name in field 2 may hold spaces. */
function ticks(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
