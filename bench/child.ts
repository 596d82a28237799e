import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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

/** Runs a program that is given one value as JSON and writes one. @throws Error where it fails */
export async function askProgram<T>(name: string, script: string, input: object, folder: string): Promise<T> {
  const child = startProgram(name, script, [JSON.stringify(input)], {
    folder,
    cpuProf: undefined,
    stdout: 'pipe' as const,
  });
  let text = '';
  child.stdout?.setEncoding('utf8');
  child.stdout?.on('data', (chunk: string) => {
    text += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} failed; its log is ${name}.log`);
  return JSON.parse(text) as T;
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
