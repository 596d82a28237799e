import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** The programs that this process has started and that still run. */
const running = new Set<ChildProcess>();

/** Ends `child` together with the bench, where it still runs then. */
export function endWithBench(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Starts a Node program that logs to `<folder>/<name>.log`. Only its standard output can be piped. */
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
  endWithBench(child);
  return child as ChildProcess & { pid: number };
}

/** Runs a program with one JSON argument and reads one JSON value from it. @throws Error where it fails */
export async function runProgram<T>(name: string, script: string, input: object, folder: string): Promise<T> {
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

export interface Reporting<T> {
  report: T;
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a program that prints one line of JSON once it serves, and continues.
 * @throws Error where it ends before that
 */
export async function startReporting<T>(
  name: string,
  script: string,
  args: string[],
  options: { folder: string; cpuProf?: string | undefined; env?: NodeJS.ProcessEnv },
): Promise<Reporting<T>> {
  const child = startProgram(name, script, args, { cpuProf: undefined, ...options, stdout: 'pipe' });
  if (child.stdout === null) throw new Error(`the ${name} has no standard output`);
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the ${name} did not start; its log is ${name}.log`);
  });
  // it ends later, too
  ended.catch(() => {});
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  return { report: JSON.parse(line as string) as T, pid: child.pid, stop: () => endProgram(child) };
}

/** Ends a program by SIGTERM, after `graceMs` by SIGKILL, and waits until it has ended. */
export async function endProgram(child: ChildProcess, graceMs = 20_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await gone;
  clearTimeout(force);
}

/** Ends every program, also one that starts during the call. */
export async function endPrograms(): Promise<void> {
  while (running.size > 0) await Promise.all([...running].map((child) => endProgram(child)));
}

/**
 * Waits until a program answers 2xx at `url`.
 * @throws Error where it ends early or exceeds the time limit; in both cases it no longer runs
 */
export async function untilReady(
  name: string,
  child: ChildProcess,
  url: string,
  withinMs = 60_000,
): Promise<void> {
  for (const giveUpAt = Date.now() + withinMs; ; await sleep(100)) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    if (child.exitCode === null && child.signalCode === null && Date.now() < giveUpAt) continue;
    await endProgram(child);
    throw new Error(`the ${name} did not start; its log is ${name}.log`);
  }
}
