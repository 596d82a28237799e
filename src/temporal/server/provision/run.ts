import { spawn } from 'node:child_process';
import { childEnvironment } from '../../../store/files/child-environment.js';
import type { OnProgress } from './sources.js';

export interface RunOptions {
  /** Environment of this process. The command receives only the variables that it needs. */
  env: NodeJS.ProcessEnv;
  /** Additional variables of the command. */
  settings?: Readonly<Record<string, string>>;
  cwd: string;
  /** Printed at the start, and again with the elapsed seconds while the command runs. */
  progress: string;
  onProgress: OnProgress;
}

const heartbeatMs = 10_000;

/**
 * Runs a command without a shell until it ends, and reports every ten seconds that it still runs.
 * @throws `Error` with the end of the command's output where it cannot start or fails
 */
export async function run(command: string, args: string[], options: RunOptions): Promise<void> {
  const { onProgress, progress } = options;
  const begun = Date.now();
  onProgress(progress);
  const heartbeat = setInterval(() => {
    onProgress(`${progress} … ${Math.round((Date.now() - begun) / 1000)} s`);
  }, heartbeatMs);
  try {
    await waitForEnd(command, args, options);
  } finally {
    clearInterval(heartbeat);
  }
}

function waitForEnd(command: string, args: string[], { env, settings, cwd }: RunOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...childEnvironment('build', env), ...settings },
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let tail = '';
    const addToTail = (chunk: Buffer) => {
      tail = (tail + chunk.toString()).slice(-2000);
    };
    child.stdout.on('data', addToTail);
    child.stderr.on('data', addToTail);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(lastLine(tail) ?? `it ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

function lastLine(text: string): string | undefined {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .at(-1)
    ?.slice(0, 300);
}
