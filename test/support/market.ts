import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import type { HandoverDatabase } from '../../src/db/handover.js';
import { encryptingDataConverter } from '../../src/engine/codec.js';
import { embeddedTarget } from '../../src/engine/connection.js';
import { registerSearchAttributes } from '../../src/engine/search-attributes.js';
import { startApiPart } from '../../src/run/api-part.js';
import { embeddedSetting } from '../../src/run/setting.js';
import { Stack } from '../../src/run/stack.js';
import { startWorkerPart } from '../../src/run/worker-part.js';
import { type TestDevServer, workflowBundle } from './engine.js';
import { eventually } from './eventually.js';
import { atApi, type HandoverParts } from './handover-parts.js';

/** One of several deployments: own keys, own folder and database, and a namespace of its own on one engine. */
export interface Deployed extends Pick<HandoverParts, 'api' | 'ask' | 'view' | 'press'> {
  stop(): Promise<void>;
}

/** @param env its keys and secrets, and whom it forwards to */
export async function startDeployment(
  name: string,
  { engine, database, platformUrl, env }: Given,
): Promise<Deployed> {
  const folder = await mkdtemp(join(tmpdir(), `handover-${name}-`));
  const setting = await embeddedSetting({
    HANDOVER_DATA_DIR: folder,
    HANDOVER_PORT: '0',
    LOG_LEVEL: 'warn',
    PLATFORM_BASE_URL: platformUrl,
    CODEC_KEYS: `${name}:${randomBytes(32).toString('base64')}`,
    ...env,
  });
  const stack = new Stack(setting.log);
  const { connection } = engine;
  const target = embeddedTarget(engine.address, name);
  await namespace(engine, name);
  await registerSearchAttributes(connection, name);
  const dataConverter = encryptingDataConverter(setting.config.codec.keys);
  const client = new Client({ connection, namespace: name, dataConverter });
  const temporal = { target, connection, client, dataConverter };
  let relay: { wake(): void } | undefined;
  const api = await startApiPart(setting, stack, {
    ...{
      temporal,
      db: database.db,
      lockHolder: database.lockHolder,
      session: database.session,
      platformUrl,
      onStored: () => relay?.wake(),
    },
  });
  const staged = { bundle: workflowBundle(), graceMs: 1_000 };
  ({ relay } = await startWorkerPart(setting, stack, { temporal, database, platformUrl, staged }));
  const manager = setting.config.tokens.find(({ role }) => role === 'manager')?.token ?? '';
  return {
    ...atApi(api, manager),
    async stop() {
      await stack.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Given {
  engine: TestDevServer;
  database: HandoverDatabase;
  platformUrl: string;
  env: Record<string, string>;
}

/** Other parts of the server learn of a new one with a delay. */
async function namespace({ connection }: TestDevServer, name: string): Promise<void> {
  const { workflowService } = connection;
  await workflowService.registerNamespace({
    namespace: name,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  await eventually(`namespace ${name}`, () =>
    workflowService.countWorkflowExecutions({ namespace: name }).then(
      () => true,
      () => false,
    ),
  );
}
