import { join } from 'node:path';
import { Client, type Connection } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
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

/** The embedded engine on this data folder, got and started where needed. */
export async function startEngine(
  { config, env }: Pick<Setting, 'config' | 'env'>,
  onProgress: (line: string) => void,
): Promise<DevServer> {
  const binary = await provideEngine('dev-server', { env, onProgress });
  const { port, uiPort } = config.temporal;
  return startDevServer({ binary, folder: join(config.dataDir, 'temporal'), port, uiPort, onProgress });
}

export interface TemporalClient {
  target: TemporalTarget;
  connection: Connection;
  client: Client;
}

/** A client of the service at `target` (default: the one that `TEMPORAL_*` names), its search attributes in place. */
export async function openClient(
  { env }: Pick<Setting, 'env'>,
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
  return { target, connection, client: new Client({ connection, namespace: target.namespace }) };
}

/** The worker's own connection. */
export function openWorkerConnection(target: TemporalTarget, stack: Stack): Promise<NativeConnection> {
  return stack.start(
    'Temporal worker connection',
    () => connectWorker(target),
    (open) => open.close(),
  );
}
