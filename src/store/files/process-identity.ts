import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { childEnvironment } from './child-environment.js';

/**
 * Identifies the space in which process ids are unique: this host, and on Linux this process namespace (two containers on
 * one volume both have a process 1).
 */
export async function processSpace(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${hostname()} ${namespace}`.trim();
}

/**
 * When the process `pid` of this host began, in the system's format. Together with the pid it identifies a process, while a
 * pid alone is reused after a restart. `null`: no such process. `undefined`:
 * it exists, but this system does not show it.
 */
export async function processStart(pid: number): Promise<string | null | undefined> {
  if (!exists(pid)) return null;
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold blanks: field 22 (start, in ticks since boot) is counted from its end.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${ticks}`;
  } catch {
    return startFromPs(pid);
  }
}

async function startFromPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: { ...childEnvironment('run'), LC_ALL: 'C', TZ: 'UTC' },
      timeout: 2000,
    });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
