import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder } from '../../store/files/folder-lock.js';
import { launch } from './dev-server-process.js';
import { type DevServerRecord, leftoverOf, removeRecord, writeRecord } from './dev-server-record.js';
import { claimState } from './engine-state.js';
import { waitUntilServing } from './health.js';
import { claimPort, loopback } from './ports.js';
import { endProcess } from './process-info.js';

export interface DevServerOptions {
  /** Path of a `temporal` executable; a function is called only when no engine is left over in the folder. */
  binary: string | (() => Promise<string>);
  /** State, log and the engine's record live here. */
  folder: string;
  /** 0 = any free one. */
  port: number;
  uiPort: number;
  /** Where Temporal UI has payloads decoded; an engine that is taken over keeps the one it was started with. */
  codecEndpoint?: string | undefined;
  onProgress?: (line: string) => void;
}

export interface DevServer {
  /** `127.0.0.1:7233` */
  address: string;
  namespace: string;
  /** Absent for an engine that was started without the UI. */
  uiUrl?: string;
  pid: number;
  /** True when it ran already, left over by a process that was killed. */
  reused: boolean;
  stop(): Promise<void>;
}

const namespace = 'default';
const readyWithinMs = 30_000;
const leftoverAnswersWithinMs = 8_000;

/**
 * The embedded engine of a data folder. One that still runs there is taken over, whatever its ports; there is never
 * a second one on the same state. It runs detached, so a terminal's Ctrl-C reaches this process alone and the
 * worker can drain first.
 * @throws `PortInUseError`, or an `Error`: the state in the folder is that of another server version, or the engine's last words
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
 * The ports that the engine in `folder` will have, before its turn to start comes: its own where it is left over there. So
 * clients that connect to it need not wait for it, and a port that is in use is reported before anything runs.
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

async function takeOver({ folder, onProgress }: DevServerOptions): Promise<DevServer | undefined> {
  const record = await leftoverOf(folder);
  if (record === undefined) return undefined;
  const trouble = await waitUntilServing(
    `${loopback}:${record.port}`,
    namespace,
    leftoverAnswersWithinMs,
    () => undefined,
  );
  if (trouble === undefined) return describe(record, folder, true);
  onProgress?.(
    `an engine left over on this data folder does not answer (process ${record.pid}): restarting it`,
  );
  await endProcess(record.pid, 2_000);
  removeRecord(folder);
  return undefined;
}

async function startFresh(options: DevServerOptions): Promise<DevServer> {
  const { folder, codecEndpoint, onProgress } = options;
  const binary = typeof options.binary === 'string' ? options.binary : await options.binary();
  const database = await claimState(binary, folder, onProgress);
  const { port, uiPort } = await claimPorts(options);
  const log = join(folder, 'engine.log');
  const engine = launch({ binary, port, uiPort, database, log, codecEndpoint });
  const record: DevServerRecord = { pid: engine.pid, port, uiPort, database };
  writeRecord(folder, record);
  const trouble = await waitUntilServing(`${loopback}:${port}`, namespace, readyWithinMs, engine.ended);
  if (trouble === undefined) return describe(record, folder, false);
  await endProcess(engine.pid, 1_000);
  removeRecord(folder);
  throw new Error(`embedded Temporal did not start: ${trouble}`);
}

function describe(record: DevServerRecord, folder: string, reused: boolean): DevServer {
  return {
    address: `${loopback}:${record.port}`,
    namespace,
    ...(record.uiPort === null ? {} : { uiUrl: `http://${loopback}:${record.uiPort}` }),
    pid: record.pid,
    reused,
    async stop() {
      await endProcess(record.pid, 10_000);
      removeRecord(folder);
    },
  };
}
