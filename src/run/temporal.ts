import { join } from 'node:path';
import { Client, type Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import type { Config } from '../config.js';
import { encryptingDataConverter } from '../engine/codec.js';
import {
  connectClient,
  connectWorker,
  embeddedTarget,
  externalTarget,
  type TemporalTarget,
} from '../engine/connection.js';
import { type DevServer, startDevServer } from '../engine/dev-server.js';
import { isAlive } from '../engine/process-info.js';
import { provideEngine } from '../engine/provision/provide.js';
import { registerSearchAttributes } from '../engine/search-attributes.js';
import type { Setting } from './setting.js';
import type { Stack } from './stack.js';

const lookEveryMs = 1_000;

export const engineFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'temporal');

/**
 * The embedded engine on this data folder, got and started where needed; `holdEngine` comes first.
 * @param codecEndpoint where its UI has payloads decoded
 */
export async function startEngine(
  { config, env }: Pick<Setting, 'config' | 'env'>,
  stack: Stack,
  onProgress: (line: string) => void,
  codecEndpoint?: string,
): Promise<RunningEngine> {
  // getting one may take minutes: a stop does not wait for it
  const binary = await provideEngine('dev-server', { env, onProgress });
  const { port, uiPort } = config.temporal;
  const folder = engineFolder(config);
  return stack.start(
    'embedded engine',
    async () => watched(await startDevServer({ binary, folder, port, uiPort, codecEndpoint, onProgress })),
    (engine) => engine.stop(),
  );
}

export interface RunningEngine extends DevServer {
  /** Rejects when the engine ends by itself. */
  failed: Promise<never>;
}

/** A child's exit event would not do: an engine that was taken over is nobody's child. */
function watched(server: DevServer): RunningEngine {
  let looking: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    looking = setInterval(() => {
      if (isAlive(server.pid)) return;
      clearInterval(looking);
      reject(new Error(`the embedded Temporal (process ${server.pid}) ended by itself; see its engine.log`));
    }, lookEveryMs);
  });
  failed.catch(() => {}); // whoever waits for it may come later
  const stop = () => {
    clearInterval(looking);
    return server.stop();
  };
  return { ...server, stop, failed };
}

export interface TemporalClient {
  target: TemporalTarget;
  connection: Connection;
  client: Client;
  /** Encrypts; the worker's must be this one too. */
  dataConverter: DataConverter;
}

/** A client of the service at `target` (default: the one that `TEMPORAL_*` names), its search attributes in place. */
export async function openClient(
  { config, env }: Pick<Setting, 'config' | 'env'>,
  stack: Stack,
  engine?: DevServer,
): Promise<TemporalClient> {
  const target =
    engine === undefined ? externalTarget(env) : embeddedTarget(engine.address, engine.namespace);
  const connection = await stack.start(
    'Temporal client',
    () => connectClient(target),
    (open) => open.close(),
  );
  await registerSearchAttributes(connection, target.namespace);
  const dataConverter = encryptingDataConverter(config.codec.keys);
  const client = new Client({ connection, namespace: target.namespace, dataConverter });
  return { target, connection, client, dataConverter };
}

/** The worker's own connection. */
export function openWorkerConnection(target: TemporalTarget, stack: Stack): Promise<NativeConnection> {
  return stack.start(
    'Temporal worker connection',
    () => connectWorker(target),
    (open) => open.close(),
  );
}
