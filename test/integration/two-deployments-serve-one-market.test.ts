import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HandoverDatabase } from '../../src/db/handover.js';
import { inbox } from '../../src/db/schema.js';
import type { Action } from '../../src/lifecycle/index.js';
import { callbackSecret } from '../support/callbacks.js';
import { embeddedLane } from '../support/database.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { platformKeys } from '../support/handover-parts.js';
import { type RelayingPeer, startRelayingPeer } from '../support/http-peer.js';
import { type Deployed, startDeployment } from '../support/market.js';
import { startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { type SandboxClient, sandboxClient } from '../support/sandbox-client.js';

const forwardSecret = `whsec_${Buffer.from('known to the channel and the supplier').toString('base64')}`;
const lanes = { channel: embeddedLane(), supplier: embeddedLane() };
let engine: TestDevServer;
let sandbox: TestSandbox;
let platform: SandboxClient;
let between: RelayingPeer;
let databases: Record<'channel' | 'supplier', HandoverDatabase>;
let channel: Deployed;
let supplier: Deployed;

beforeAll(async () => {
  [engine, sandbox, between] = await Promise.all([devServer(), startTestSandbox(), startRelayingPeer()]);
  databases = { channel: await lanes.channel.open(), supplier: await lanes.supplier.open() };
  platform = sandboxClient(sandbox);
  const shared = { engine, platformUrl: sandbox.url };
  [channel, supplier] = await Promise.all([
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
}, 120_000);
afterAll(async () => {
  await between?.close();
  await Promise.all([channel?.stop(), supplier?.stop()]);
  await sandbox?.dispose();
  await engine?.stop();
  await Promise.all(Object.values(databases ?? {}).map((database) => database.close()));
});

const booking = () => {
  const { driver, productId, pickupAddress, startAt, endAt } = platform.bookingBody();
  return { driver, productId, pickupAddress, startAt, endAt };
};
async function booked(): Promise<number> {
  const { status, body } = await channel.ask('POST', '/api/reservations', {
    key: crypto.randomUUID(),
    json: booking(),
  });
  expect(status).toBe(201);
  return body.reservationId;
}
const reaches = (at: Deployed, id: number, code: number) =>
  eventually(`status ${code}`, async () => (await at.view(id))?.status.code === code, 30_000, 50);
const press = async (id: number, ...actions: Action[]) => {
  for (const action of actions)
    expect(await supplier.press(id, action), action).toMatchObject({ status: 200 });
};
const heard = () => databases.supplier.db.select().from(inbox).orderBy(inbox.id);
const forwarding = async () => (await channel.ask('GET', '/api/intake')).body.forwarding;

it('F79: booked by the channel, dispatched and recalled by the supplier, also over a time when it is down', async () => {
  const id = await booked();
  await reaches(supplier, id, 5);
  await press(
    id,
    'dispatch.staff',
    'dispatch.start',
    'dispatch.parkingImage',
    'dispatch.carImage',
    'dispatch.complete',
  );
  await reaches(channel, id, 15);
  expect(await channel.view(id)).toMatchObject({ display: 'assigned-car', status: { grade: 'observed' } });
  await eventually(
    'the supplier hears of it too',
    async () => (await supplier.view(id))?.status.grade === 'observed',
  );

  between.leadTo(null);
  await platform.customer(id, 'start-use');
  await reaches(channel, id, 20);
  await platform.customer(id, 'return');
  await reaches(channel, id, 30);
  await eventually('they wait', async () => (await forwarding()).events >= 2);
  expect((await supplier.view(id))?.status.code).toBe(15);
  const before = (await heard()).length;
  between.leadTo(supplier.api);
  await reaches(supplier, id, 30);
  await eventually('nothing waits', async () => (await forwarding()).events === 0);
  const after = (await heard()).slice(before).filter(({ channel: kind }) => kind === 'status');
  expect(after.map(({ verdict }) => verdict)).not.toContain('stale');

  await press(id, 'recall.complete');
  await Promise.all([reaches(channel, id, 35), reaches(supplier, id, 35)]);
  // who saw what: neither key did the other's work
  const ofEach = await Promise.all([channel, supplier].map((one) => one.view(id)));
  expect(ofEach.map((view) => view?.status)).toMatchObject([{ code: 35 }, { code: 35 }]);
}, 120_000);

it('F72: where the answer to a forwarded event is lost it comes again, and is one event', async () => {
  between.loseNext();
  const id = await booked();
  await reaches(supplier, id, 5);
  const twice = async () => (await heard()).find((row) => row.reservationId === id && row.copies === 2);
  expect((await eventually('it came again', twice)).channel).toBe('registration');
  await eventually('nothing waits', async () => (await forwarding()).events === 0);
  const { body } = await supplier.ask('GET', `/api/reservations/${id}/timeline`);
  expect(body.items.filter(({ kind }: { kind: string }) => kind === 'event')).toHaveLength(1);
}, 60_000);
