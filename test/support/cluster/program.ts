import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a program of the cluster is started. */
export interface ProgramStart {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** File for what it prints. */
  log: string;
}

/** A program that is started again whenever it ends, as `restart: unless-stopped` does. */
export class Program {
  private child: ChildProcess;
  private isOver = false;
  starts = 0;

  constructor(private readonly start: ProgramStart) {
    this.child = this.begin();
  }

  get name(): string {
    return this.start.name;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** What all its processes have printed. */
  log(): string {
    return readFileSync(this.start.log, 'utf8');
  }

  /** Ends this process; the next one has begun when it resolves. @returns its exit code; null: the signal ended it */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    child.kill(signal);
    const code = await ended;
    while (this.child === child && !this.isOver) await sleep(10);
    return code;
  }

  /** It is not started again. */
  async stop(): Promise<void> {
    this.isOver = true;
    if (this.child.exitCode === null && this.child.signalCode === null) await this.end('SIGKILL');
  }

  private begin(): ChildProcess {
    const { command, args, env, cwd, log } = this.start;
    const output = openSync(log, 'a');
    const child = spawn(command, args, { env, cwd, stdio: ['ignore', output, output] });
    closeSync(output);
    this.starts++;
    child.once('exit', () => {
      if (!this.isOver) setTimeout(() => this.again(), 20);
    });
    return child;
  }

  private again(): void {
    if (!this.isOver) this.child = this.begin();
  }
}

/** Runs a program to its end. @throws with what it printed */
export async function runOnce({ name, command, args, env, cwd, log }: ProgramStart): Promise<void> {
  const output = openSync(log, 'a');
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', output, output] });
  closeSync(output);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('exit', resolve);
    child.once('error', reject);
  });
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${readFileSync(log, 'utf8').slice(-4_000)}`);
}
