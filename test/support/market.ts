import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { expect } from 'vitest';
import { policyOf } from '../../src/app/config/index.js';
import { startApiPart } from '../../src/app/parts/api.js';
import { startWorkerPart } from '../../src/app/parts/worker.js';
import { embeddedSetting } from '../../src/app/startup/setting.js';
import { Stack } from '../../src/app/startup/stack.js';
import type { Action } from '../../src/domain/reservation/index.js';
import type { WireProfile } from '../../src/platform/profile.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { inbox } from '../../src/store/schema.js';
import { encryptingDataConverter } from '../../src/temporal/codec.js';
import { embeddedTarget } from '../../src/temporal/connection/connection.js';
import { callbackSecret } from './callbacks.js';
import { embeddedLane } from './database.js';
import { devServer, type TestDevServer, workflowBundle } from './engine.js';
import { eventually } from './eventually.js';
import { atApi, type HandoverParts, platformKeys } from './handover-parts.js';
import { startRelayingPeer } from './http-peer.js';
import { newNamespace } from './namespace.js';
import { startTestSandbox } from './sandbox.js';
import { sandboxClient } from './sandbox-client.js';

/** One of several deployments: own keys, own folder and database, and a namespace of its own on one engine. */
interface Deployed extends Pick<HandoverParts, 'api' | 'ask' | 'view' | 'sendAction'> {
  stop(): Promise<void>;
}

/** @param env its keys and secrets, and whom it forwards to */
async function startDeployment(
  name: string,
  { engine, database, platformUrl, profile, env }: Given,
): Promise<Deployed> {
  const folder = await mkdtemp(join(tmpdir(), `handover-${name}-`));
  const given = await embeddedSetting({
    HANDOVER_DATA_DIR: folder,
    HANDOVER_PORT: '0',
    LOG_LEVEL: 'warn',
    PLATFORM_BASE_URL: platformUrl,
    CODEC_KEYS: `${name}:${randomBytes(32).toString('base64')}`,
    ...env,
  });
  const setting = { ...given, profile, policy: policyOf(given.config, profile) };
  const stack = new Stack(setting.log);
  const { connection } = engine;
  const namespace = await newNamespace(connection, name);
  const target = embeddedTarget(engine.address, namespace);
  const dataConverter = encryptingDataConverter(setting.config.codec.keys);
  const client = new Client({ connection, namespace, dataConverter });
  const temporal = { target, connection, client, dataConverter };
  let relay: { wake(): void } | undefined;
  const api = await startApiPart(setting, stack, {
    temporal,
    database,
    platformUrl,
    onStored: () => relay?.wake(),
    wakeRelay: () => relay?.wake(),
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
  profile: WireProfile;
  env: Record<string, string>;
}

const forwardSecret = `whsec_${Buffer.from('known to the channel and the supplier').toString('base64')}`;

export type Market = Awaited<ReturnType<typeof startMarket>>;

/**
 * One platform, a channel's deployment and a supplier's, each with its key alone; the channel forwards. `between` stands
 * on that way.
 */
export function marketOf(profile: WireProfile): { start(): Promise<Market> } {
  const lanes = { channel: embeddedLane(), supplier: embeddedLane() };
  return { start: () => startMarket(profile, lanes) };
}

async function startMarket(
  profile: WireProfile,
  lanes: Record<'channel' | 'supplier', ReturnType<typeof embeddedLane>>,
) {
  const [engine, sandbox, between] = await Promise.all([
    devServer(),
    startTestSandbox({ profile }),
    startRelayingPeer(),
  ]);
  const databases = { channel: await lanes.channel.open(), supplier: await lanes.supplier.open() };
  const shared = { engine, platformUrl: sandbox.url, profile };
  const [channel, supplier] = await Promise.all([
    startDeployment('channel', {
      ...shared,
      database: databases.channel,
      env: {
        PLATFORM_CHANNEL_API_KEY: platformKeys.channel,
        CALLBACK_SECRETS: callbackSecret,
        FORWARD_URL: between.url,
        FORWARD_SECRET: forwardSecret,
      },
    }),
    startDeployment('supplier', {
      ...shared,
      database: databases.supplier,
      env: { PLATFORM_SUPPLIER_API_KEY: platformKeys.supplier, CALLBACK_SECRETS: forwardSecret },
    }),
  ]);
  between.leadTo(supplier.api);
  sandbox.setCallback({ url: channel.api, secret: callbackSecret });
  const platform = sandboxClient(sandbox);
  return {
    between,
    channel,
    supplier,
    platform,
    /** By the channel's API. */
    async booked(): Promise<number> {
      const { driver, productId, pickupAddress, startAt, endAt } = platform.bookingBody();
      const json = { driver, productId, pickupAddress, startAt, endAt };
      const { status, body } = await channel.ask('POST', '/api/reservations', { key: randomUUID(), json });
      expect(status).toBe(201);
      return body.reservationId;
    },
    reaches: (at: Deployed, id: number, code: number) =>
      eventually(`status ${code}`, async () => (await at.view(id))?.status.code === code, 30_000, 50),
    /** By the supplier's API. */
    async sendActions(id: number, ...actions: Action[]): Promise<void> {
      for (const action of actions)
        expect(await supplier.sendAction(id, action), action).toMatchObject({ status: 200 });
    },
    /** What came to the supplier. */
    received: () => databases.supplier.db.select().from(inbox).orderBy(inbox.id),
    waiting: async (): Promise<number> => (await channel.ask('GET', '/api/intake')).body.forwarding.events,
    async stop() {
      await between.close();
      await Promise.all([channel.stop(), supplier.stop()]);
      await sandbox.dispose();
      await engine.stop();
      await Promise.all(Object.values(databases).map((database) => database.close()));
    },
  };
}

/** From a booking to 35, the supplier's deployment being down while the customer drives. */
export async function playADay({ between, platform, channel, supplier, ...market }: Market): Promise<void> {
  const { reaches, sendActions, received, waiting } = market;
  const id = await market.booked();
  await reaches(supplier, id, 5);
  await sendActions(id, 'dispatch.staff', 'dispatch.start', 'dispatch.parkingImage', 'dispatch.carImage');
  await sendActions(id, 'dispatch.complete');
  await reaches(channel, id, 15);
  expect(await channel.view(id)).toMatchObject({ display: 'assigned-car', status: { grade: 'observed' } });
  const isObserved = async () => (await supplier.view(id))?.status.grade === 'observed';
  await eventually('the supplier receives it too', isObserved);

  between.leadTo(null);
  await platform.customer(id, 'start-use');
  await reaches(channel, id, 20);
  await platform.customer(id, 'return');
  await reaches(channel, id, 30);
  await eventually('they wait', async () => (await waiting()) >= 2);
  expect((await supplier.view(id))?.status.code).toBe(15);
  const before = (await received()).length;
  between.leadTo(supplier.api);
  await reaches(supplier, id, 30);
  await eventually('nothing waits', async () => (await waiting()) === 0);
  const late = (await received()).slice(before).filter(({ channel: kind }) => kind === 'status');
  expect(late.map(({ verdict }) => verdict)).not.toContain('stale');

  await sendActions(id, 'recall.complete');
  await Promise.all([reaches(channel, id, 35), reaches(supplier, id, 35)]);
}
