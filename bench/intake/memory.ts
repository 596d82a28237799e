import { readFile } from 'node:fs/promises';

/** Resident MB of a process; null where the machine has no /proc. */
export async function residentMb(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kb === undefined ? null : Math.round(Number(kb) / 1024);
}
