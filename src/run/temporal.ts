import { join } from 'node:path';
import { Client, type Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import { encryptingDataConverter } from '../engine/codec.js';
import {
  connectClient,
  connectWorker,
  embeddedTarget,
  externalTarget,
  type TemporalTarget,
} from '../engine/connection.js';
import { type DevServer, startDevServer } from '../engine/dev-server.js';
import { provideEngine } from '../engine/provision/provide.js';
import { registerSearchAttributes } from '../engine/search-attributes.js';
import type { Setting } from './setting.js';
import type { Stack } from './stack.js';

/**
 * The embedded engine on this data folder, got and started where needed; `holdEngine` comes first.
 * @param codecEndpoint where its UI has payloads decoded
 */
export async function startEngine(
  { config, env }: Pick<Setting, 'config' | 'env'>,
  stack: Stack,
  onProgress: (line: string) => void,
  codecEndpoint?: string,
): Promise<DevServer> {
  // getting one may take minutes: a stop does not wait for it
  const binary = await provideEngine('dev-server', { env, onProgress });
  const { port, uiPort } = config.temporal;
  const folder = join(config.dataDir, 'temporal');
  return stack.start(
    'embedded engine',
    () => startDevServer({ binary, folder, port, uiPort, codecEndpoint, onProgress }),
    (server) => server.stop(),
  );
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
