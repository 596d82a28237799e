import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataConverter } from '@temporalio/common';
import type { Logger } from 'pino';
import { startApiPart } from '../../src/app/parts/api.js';
import { dataKeysOf } from '../../src/app/parts/data-keys.js';
import { startRelayPart } from '../../src/app/parts/relay.js';
import { startWorkerPart, type WorkerPart, type WorkerPartDeps } from '../../src/app/parts/worker.js';
import { embeddedSetting, type Setting } from '../../src/app/startup/setting.js';
import { Stack } from '../../src/app/startup/stack.js';
import type { Action, Policy, ReservationView } from '../../src/domain/reservation/index.js';
import type { WireProfile } from '../../src/platform/profile.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { createTemporalClient, type TemporalClient } from '../../src/temporal/client/create-client.js';
import { encryptingDataConverter } from '../../src/temporal/codec.js';
import type { ObservedRuntime } from '../../src/temporal/worker/sdk-metrics.js';
import { callbackSecret } from './callbacks.js';
import { publicTestKey, testDataConverter } from './codec.js';
import { devServer, type TestDevServer, workflowBundle } from './engine.js';
import { keys, startTestSandbox, type TestSandbox } from './sandbox.js';
import { jpeg, type SandboxClient, sandboxClient } from './sandbox-client.js';

/** Handover beside its worker: engine, status API with the receiver, relay, and the sandbox that calls them. */
export interface HandoverParts {
  setting: Setting;
  /** As the parts use it; `engine.client` reads nothing that is under data keys. */
  temporal: TemporalClient;
  engine: TestDevServer;
  sandbox: TestSandbox;
  /** Speaks to the sandbox directly: the web site, the customer, the controls. */
  platform: SandboxClient;
  api: string;
  ask(method: string, path: string, options?: Asked): Promise<{ status: number; body: Answered }>;
  /** A reservation as the status API shows it; undefined where it has none. */
  view(id: number): Promise<ReservationView | undefined>;
  /** Sends a staff action, with a reason for the steps that it skips. */
  sendAction(id: number, action: Action, commandId?: string): Promise<{ status: number; body: Answered }>;
  stop(): Promise<void>;
}
interface Asked {
  key?: string;
  json?: unknown;
  form?: FormData;
}
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
type Answered = any;

/** Starts an engine whose client has the converter. */
export type StartEngine = (dataConverter: DataConverter) => Promise<TestDevServer>;

interface PartsChanges {
  /** Of Handover and of the sandbox; the default one if absent. */
  profile?: WireProfile;
  env?: Record<string, string>;
  policy?: Partial<Policy>;
  /** Settings of a dev server of its own, or what starts another engine; absent: a namespace of the run's dev server. */
  engine?: Record<string, string> | StartEngine;
  /** The worker too. */
  worker?: boolean;
  /** How long it waits for the platform; the product's 10 s if absent. */
  timeoutMs?: number;
  /** Payloads and photos are under data keys, as in the product. */
  dataKeys?: boolean;
  log?: Logger;
  /** Of the worker: its tasks are watched. */
  runtime?: ObservedRuntime;
}

/** Everything of the product, without the worker unless asked for, in this process, on free ports and a folder of its own. */
export async function startHandoverParts(
  database: HandoverDatabase,
  changes: PartsChanges = {},
): Promise<HandoverParts> {
  const folder = await mkdtemp(join(tmpdir(), 'handover-parts-'));
  const given = await embeddedSetting({
    HANDOVER_DATA_DIR: folder,
    HANDOVER_PORT: '0',
    LOG_LEVEL: 'warn',
    CALLBACK_SECRETS: callbackSecret,
    SANDBOX_KEYS: `channel:${keys.channel},supplier:${keys.supplier}:11`,
    CODEC_KEYS: `${publicTestKey.id}:${publicTestKey.key.toString('base64')}`,
    ...changes.env,
  });
  const { profile = given.profile } = changes;
  const { log = given.log } = changes;
  const setting: Setting = { ...given, log, profile, policy: { ...given.policy, ...changes.policy } };
  const { engine: wanted } = changes;
  const startEngine: StartEngine =
    typeof wanted === 'function' ? wanted : (converter) => devServer(converter, wanted);
  const stack = new Stack(setting.log);
  const engine = await stack.start(
    'engine',
    () => startEngine(testDataConverter),
    (server) => server.stop(),
  );
  const temporal = changes.dataKeys
    ? withDataKeys(engine, setting, database)
    : { ...engine, dataConverter: testDataConverter };
  const sandbox = await stack.start(
    'sandbox',
    () => startTestSandbox({ profile }),
    (started) => started.dispose(),
  );
  let relay: { wake(): void } | undefined;
  const api = await startApiPart(setting, stack, {
    temporal,
    database,
    platformUrl: sandbox.url,
    onStored: () => relay?.wake(),
    wakeRelay: () => relay?.wake(),
  });
  sandbox.setCallback({ url: api, secret: callbackSecret });
  relay = changes.worker
    ? await withWorker(setting, stack, {
        temporal,
        database,
        platformUrl: sandbox.url,
        timeoutMs: changes.timeoutMs,
        ...(changes.runtime && { runtime: changes.runtime }),
      })
    : await startRelayPart(setting, stack, {
        temporal,
        database,
        clock: Date.now,
        isConnected: undefined,
        sealer: createSealer(setting.config.codec.keys),
      });
  return {
    setting,
    temporal,
    engine,
    sandbox,
    ...atApi(api, setting.config.tokens.find(({ role }) => role === 'manager')?.token ?? ''),
    platform: sandboxClient(sandbox),
    async stop() {
      await stack.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function withDataKeys(
  { target, connection }: TestDevServer,
  { config: { codec } }: Setting,
  database: HandoverDatabase,
): TemporalClient {
  const dataKeys = dataKeysOf(codec, database);
  const dataConverter = encryptingDataConverter(codec.keys, { ...codec, dataKeys });
  return { ...createTemporalClient(target, connection, dataConverter), dataKeys };
}

/** What people do at the status API of a deployment. */
export function atApi(
  api: string,
  token: string,
): Pick<HandoverParts, 'api' | 'ask' | 'view' | 'sendAction'> {
  const ask = requester(api, token);
  return {
    api,
    ask,
    view: async (id) => {
      const { status, body } = await ask('GET', `/api/reservations/${id}`);
      return status === 200 ? body : undefined;
    },
    sendAction: (id, action, commandId = randomUUID()) =>
      ask(action.endsWith('Image') ? 'POST' : 'PUT', `/api/reservations/${id}/${action.replace('.', '/')}`, {
        key: commandId,
        ...requestOf(action),
      }),
  };
}

async function withWorker(
  setting: Setting,
  stack: Stack,
  { timeoutMs, ...deps }: Omit<WorkerPartDeps, 'staged'> & { timeoutMs: number | undefined },
): Promise<WorkerPart['relay']> {
  const deadline = timeoutMs === undefined ? {} : { timeoutMs };
  const staged = { bundle: workflowBundle(), graceMs: 1_000, ...deadline };
  const { relay } = await startWorkerPart(setting, stack, { ...deps, staged });
  return relay;
}

/** What the sandbox's test keys open. */
export const platformKeys = { channel: keys.channel, supplier: keys.supplier };

function requester(api: string, token: string): HandoverParts['ask'] {
  return async (method, path, { key, json, form } = {}) => {
    const response = await fetch(api + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(form !== undefined && { body: form }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
}

const override = { override: true, reason: 'done on the web site' };

function requestOf(action: Action): Asked {
  if (action.endsWith('staff'))
    return { json: { staffName: 'A Person', staffPhone: '01000000002', ...override } };
  if (!action.endsWith('Image')) return { json: override };
  const form = new FormData();
  form.append('override', 'true');
  form.append('reason', override.reason);
  form.append('image', new Blob([jpeg as Uint8Array<ArrayBuffer>]), 'photo.jpg');
  return { form };
}

/** The folder in which the parts store photos. */
export function photoFolder({ config: { blobs } }: Setting): string {
  if (blobs.kind !== 'folder') throw new Error('the parts of a test store photos in a folder');
  return blobs.path;
}
