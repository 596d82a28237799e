import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { endProcess, isAlive } from '../../src/temporal/server/process-info.js';
import { copyOfMigratedTemplate } from './database.js';
import { eventually } from './eventually.js';
import { builtModule } from './product.js';
import { copyOfTemplate } from './sandbox-template.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Generous: a busy machine starts slowly, and no test is about that. */
const startsWithinMs = 90_000;

/** A folder for one deployment of the built product, and the processes on it. */
export class Deployment {
  private readonly processes: Run[] = [];
  private constructor(
    readonly folder: string,
    private readonly cli: string,
  ) {}

  /** Builds where that is due. */
  static async create(): Promise<Deployment> {
    const cli = fileURLToPath(await builtModule('src/cli.js'));
    return new Deployment(await mkdtemp(join(tmpdir(), 'handover-up-')), cli);
  }

  /** The same with databases that exist: to initialise one takes a process 3 s of CPU. */
  static async createWithDatabases(): Promise<Deployment> {
    const deployment = await Deployment.create();
    await copyOfMigratedTemplate(join(deployment.dataDir, 'db'));
    await copyOfTemplate(join(deployment.dataDir, 'sandbox-db'));
    return deployment;
  }

  get dataDir(): string {
    return join(this.folder, 'data');
  }

  /** `handover <args>`. @param cli the command of another build */
  run(args: string[], env: Record<string, string> = {}, cli = this.cli): Run {
    return this.started(spawn(process.execPath, [cli, ...args], { ...this.options(env) }));
  }

  /** `npm start -- <args>`, in a process group of its own as a terminal gives it. */
  npmStart(args: string[], env: Record<string, string> = {}): Run {
    const options = { ...this.options(env), cwd: root, detached: true };
    return this.started(spawn('npm', ['start', '--', ...args], options));
  }

  /** The process id of the engine that the data folder remembers; undefined when it remembers none. */
  enginePid(): number | undefined {
    try {
      return JSON.parse(readFileSync(join(this.dataDir, 'temporal', 'engine.json'), 'utf8')).pid;
    } catch {
      return undefined;
    }
  }

  log(): string {
    return readFileSync(join(this.dataDir, 'handover.log'), 'utf8');
  }

  /** The sandbox's key of the rental company. */
  supplierKey(): string {
    return this.platformKeys().supplier;
  }

  /** The sandbox's keys of both roles. */
  platformKeys(): Record<'channel' | 'supplier', string> {
    return JSON.parse(readFileSync(join(this.dataDir, 'secrets.json'), 'utf8')).sandboxKeys;
  }

  /** Ends whatever still runs, and removes the folder. */
  async remove(): Promise<void> {
    for (const run of this.processes) await run.kill();
    const engine = this.enginePid();
    if (engine !== undefined && isAlive(engine)) await endProcess(engine, 0);
    await rm(this.folder, { recursive: true, force: true });
  }

  private options(env: Record<string, string>) {
    const ours =
      /^(HANDOVER_|SANDBOX_|TEMPORAL_|PLATFORM_|CALLBACK|CODEC|DATABASE_URL|BLOB_URL|WIRE_|VITEST|NODE_OPTIONS)/;
    const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
    return {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
      env: {
        ...inherited,
        HANDOVER_DATA_DIR: this.dataDir,
        HANDOVER_PORT: '0',
        HANDOVER_DRAIN: 'PT0S',
        SANDBOX_PORT: '0',
        WORKER_PORT: '0',
        HANDOVER_TEMPORAL_PORT: '0',
        HANDOVER_TEMPORAL_UI_PORT: '0',
        TEMPORAL_CLI_PATH: inject('devServerPath'),
        ...env,
      },
    };
  }

  private started(child: ChildProcess): Run {
    const run = new Run(child);
    this.processes.push(run);
    return run;
  }
}

/** The contents of the block that `handover up` prints. */
export interface Ready {
  /** The link that logs in. */
  console: string;
  api: string;
  sandbox: string;
  temporal: string;
  tokens: Record<'viewer' | 'staff' | 'manager', string>;
}

/** One process of the product. */
export class Run {
  readonly pid: number;
  stdout = '';
  stderr = '';
  /** Its exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  private isOver = false;

  constructor(private readonly child: ChildProcess) {
    if (child.pid === undefined) throw new Error('it did not start');
    this.pid = child.pid;
    child.stdout?.on('data', (chunk) => {
      this.stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.ended = new Promise((resolve) => {
      child.on('close', (code) => {
        this.isOver = true;
        resolve(code);
      });
    });
  }

  /** The first match in what it prints. @throws with its words when it ends before */
  async says(text: RegExp, withinMs = startsWithinMs): Promise<RegExpExecArray> {
    return eventually(
      `it says ${text}`,
      () => {
        const found = text.exec(this.stdout);
        if (found === null && this.isOver) throw new Error(`it ended first: ${this.stdout}${this.stderr}`);
        return found ?? undefined;
      },
      withinMs,
    ).catch((error: Error) => {
      throw new Error(`${error.message}; it said: ${this.stdout}${this.stderr}`);
    });
  }

  /** `handover up` has everything running. */
  async ready(): Promise<Ready> {
    await this.says(/Token manager +\S+/);
    await this.says(/Handover is ready/);
    const addressAfter = (label: string) =>
      new RegExp(`^ +${label} +([^\\s,]+)(?:,.*)?$`, 'm').exec(this.stdout)?.[1] ?? '';
    return {
      console: addressAfter('Console'),
      api: addressAfter('Status API').replace('/docs', ''),
      sandbox: addressAfter('Sandbox').replace('/docs', ''),
      temporal: addressAfter('Temporal'),
      tokens: {
        viewer: addressAfter('Token viewer'),
        staff: addressAfter('Token staff'),
        manager: addressAfter('Token manager'),
      },
    };
  }

  /** @param to the process itself, or (a terminal's Ctrl-C) its whole group */
  signal(signal: NodeJS.Signals, to: 'process' | 'group' = 'process'): void {
    process.kill(to === 'group' ? -this.pid : this.pid, signal);
  }

  async kill(): Promise<void> {
    if (!this.isOver) this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** Reads JSON of the status API or the sandbox. @throws for anything but 2xx */
export async function readJson<T>(url: string, bearer: string): Promise<T> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${bearer}` } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
