import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder } from '../../store/files/folder-lock.js';
import { launch } from './dev-server-process.js';
import {
  type DevServerRecord,
  isThatEngine,
  leftoverOf,
  removeRecord,
  writeRecord,
} from './dev-server-record.js';
import { claimState } from './engine-state.js';
import { waitUntilServing } from './health.js';
import { claimPort, loopback } from './ports.js';
import { endProcess } from './process-info.js';

export interface DevServerOptions {
  /** Path of a `temporal` executable. A function is called only where no engine runs on the folder. */
  binary: string | (() => Promise<string>);
  /** Folder of the state, the log and the engine's record. */
  folder: string;
  /** 0: any free port. */
  port: number;
  uiPort: number;
  /** Address at which Temporal UI decodes payloads. A running engine retains the address of its start. */
  codecEndpoint?: string | undefined;
  onProgress?: (line: string) => void;
  /** Its process runs, and does not answer yet. */
  onLaunched?: (() => void) | undefined;
}

export interface DevServer {
  /** `127.0.0.1:7233` */
  address: string;
  namespace: string;
  /** Absent where the engine was started without the UI. */
  uiUrl?: string;
  pid: number;
  /** True where the engine was already running, because the process that started it was killed. */
  reused: boolean;
  /** Signals no other program that has got the process id of an engine which ended by itself. */
  stop(): Promise<void>;
}

const namespace = 'default';
const readyWithinMs = 30_000;
const leftoverAnswersWithinMs = 8_000;

/**
 * The embedded engine of a data folder. An engine that still runs on the folder is used again, whatever its ports: two
 * engines must never share one state. The engine runs detached, so that a terminal's Ctrl-C reaches this process alone
 * and the worker can drain first.
 * @throws `PortInUseError`; `Error` where the state belongs to another server version, or the engine ends (with its log)
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  await mkdir(options.folder, { recursive: true });
  const lock = await lockFolder(join(options.folder, 'engine'));
  try {
    return (await takeOver(options)) ?? (await startFresh(options));
  } finally {
    await lock.release();
  }
}

/**
 * The ports that the engine in `folder` will have, known before it starts. An engine that still runs retains its ports.
 * So clients can be created without waiting, and a port that is in use is reported before anything starts.
 * @throws `PortInUseError`
 */
export async function planEnginePorts(
  options: Pick<DevServerOptions, 'folder' | 'port' | 'uiPort'>,
): Promise<{ port: number; uiPort: number }> {
  const leftover = await leftoverOf(options.folder);
  if (leftover === undefined) return claimPorts(options);
  return { port: leftover.port, uiPort: leftover.uiPort ?? options.uiPort };
}

async function claimPorts({ port, uiPort }: Pick<DevServerOptions, 'port' | 'uiPort'>) {
  return {
    port: await claimPort(port, 'embedded Temporal', 'HANDOVER_TEMPORAL_PORT'),
    uiPort: await claimPort(uiPort, 'Temporal UI', 'HANDOVER_TEMPORAL_UI_PORT'),
  };
}

async function takeOver({
  folder,
  onProgress,
  onLaunched,
}: DevServerOptions): Promise<DevServer | undefined> {
  const record = await leftoverOf(folder);
  if (record === undefined) return undefined;
  onLaunched?.();
  const engine: Engine = { record, folder, isRunning: () => isThatEngine(record) };
  const trouble = await waitUntilServing(
    `${loopback}:${record.port}`,
    namespace,
    leftoverAnswersWithinMs,
    () => undefined,
  );
  if (trouble === undefined) return describe(engine, true);
  onProgress?.(
    `an engine left over on this data folder does not answer (process ${record.pid}): restarting it`,
  );
  await endEngine(engine, 2_000);
  return undefined;
}

async function startFresh(options: DevServerOptions): Promise<DevServer> {
  const { folder, onProgress } = options;
  const binary = typeof options.binary === 'string' ? options.binary : await options.binary();
  const database = await claimState(binary, folder, onProgress);
  for (let triesLeft = 3; ; triesLeft--) {
    const started = await tryStart(options, binary, database);
    if (typeof started !== 'string') return started;
    // the server also chooses ports, of its own parts: another program may take one before it listens
    if (triesLeft > 1 && started.includes('address already in use')) continue;
    throw new Error(`embedded Temporal did not start: ${started}`);
  }
}

/** @returns the running server, or why it does not serve */
async function tryStart(options: DevServerOptions, binary: string, database: string) {
  const { folder, codecEndpoint } = options;
  const { port, uiPort } = await claimPorts(options);
  const log = join(folder, 'engine.log');
  const { pid, ended } = launch({ binary, port, uiPort, database, log, codecEndpoint });
  const record: DevServerRecord = { pid, port, uiPort, database };
  // the system gives its process id to no other program before this process knows of the end
  const engine: Engine = { record, folder, isRunning: async () => ended() === undefined };
  let isServing = false;
  try {
    writeRecord(folder, record);
    options.onLaunched?.();
    const trouble = await waitUntilServing(`${loopback}:${port}`, namespace, readyWithinMs, ended);
    isServing = trouble === undefined;
    return trouble ?? describe(engine, false);
  } finally {
    if (!isServing) await endEngine(engine, 1_000);
  }
}

interface Engine {
  record: DevServerRecord;
  folder: string;
  /** False where it has ended, and its process id may be that of another program. */
  isRunning: () => Promise<boolean>;
}

async function endEngine({ record: { pid }, folder, isRunning }: Engine, withinMs: number): Promise<void> {
  if (await isRunning()) await endProcess(pid, withinMs);
  removeRecord(folder);
}

function describe(engine: Engine, reused: boolean): DevServer {
  const { port, uiPort, pid } = engine.record;
  return {
    address: `${loopback}:${port}`,
    namespace,
    ...(uiPort === null ? {} : { uiUrl: `http://${loopback}:${uiPort}` }),
    pid,
    reused,
    stop: () => endEngine(engine, 10_000),
  };
}
