import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { childEnvironment } from '../../store/files/child-environment.js';

const execFileAsync = promisify(execFile);

/** True while a process with that id runs, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the process is a zombie: it has ended, and its parent (process 1 in a container) may never collect it. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** The command line of a process; undefined where it has ended or the system does not show it. */
export async function commandLineOf(pid: number): Promise<string | undefined> {
  try {
    const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return raw === '' ? undefined : raw.split('\0').join(' ');
  } catch {
    // no /proc: use ps
  }
  try {
    const { stdout } = await execFileAsync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
      env: childEnvironment('run'),
    });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Sends SIGTERM to a process, and SIGKILL where it still runs after `graceMs`. Resolves once the process has ended.
 */
export async function endProcess(pid: number, graceMs: number): Promise<void> {
  signal(pid, 'SIGTERM');
  if (await waitUntilGone(pid, graceMs)) return;
  signal(pid, 'SIGKILL');
  if (!(await waitUntilGone(pid, 5_000))) throw new Error(`process ${pid} does not end`);
}

async function waitUntilGone(pid: number, withinMs: number): Promise<boolean> {
  const until = Date.now() + withinMs;
  while (isAlive(pid)) {
    if (Date.now() > until) return false;
    await sleep(25);
  }
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
