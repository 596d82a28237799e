import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';

/** A Node program of its own with its output in `<folder>/<name>.log`; only standard output may be piped. */
export function startProgram(
  name: string,
  script: string,
  args: string[],
  options: { folder: string; cpuProf: string | undefined; env?: NodeJS.ProcessEnv; stdout: 'pipe' | 'log' },
): ChildProcess & { pid: number } {
  const log = openSync(join(options.folder, `${name}.log`), 'a');
  const profile =
    options.cpuProf === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', join(options.cpuProf, name)];
  const child = spawn(process.execPath, ['--enable-source-maps', ...profile, script, ...args], {
    stdio: ['ignore', options.stdout === 'pipe' ? 'pipe' : log, log],
    env: options.env ?? process.env,
  });
  if (child.pid === undefined) throw new Error(`${name} cannot be started`);
  return child as ChildProcess & { pid: number };
}

/** Ends a program by SIGTERM and waits until it is gone; SIGKILL after `graceMs`. */
export async function endProgram(child: ChildProcess, graceMs = 20_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await gone;
  clearTimeout(force);
}
