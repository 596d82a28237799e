import { type AddressInfo, createServer } from 'node:net';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../bench/free-ports.js';
import { createAlerts } from '../../src/store/alerts/alerts.js';
import { ChangeFeed } from '../../src/store/changes/feed.js';
import { openHandoverDatabase } from '../../src/store/handover.js';
import { inbox } from '../../src/store/schema.js';
import { embeddedTarget } from '../../src/temporal/connection/connection.js';
import { collectStatus } from '../../src/tools/status/collect.js';
import { toScreen } from '../../src/tools/status/screen.js';
import { databaseSource } from '../../src/tools/status/sources.js';
import type { Status } from '../../src/tools/status/types.js';
import { ownDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Deployment, type Run } from '../support/process.js';

describe('handover status beside handover up', () => {
  let deployment: Deployment;
  let run: Run;
  let env: Record<string, string>;
  beforeAll(async () => {
    deployment = await Deployment.createWithDatabases();
    const [api, temporal] = await freePorts(2);
    env = { HANDOVER_PORT: String(api), HANDOVER_TEMPORAL_PORT: String(temporal) };
    run = deployment.run(['up', '--no-demo'], env);
    await run.ready();
  }, 120_000);
  afterAll(() => deployment?.remove());

  const status = async (...options: string[]) => {
    const asked = deployment.run(['status', ...options], env);
    const code = await asked.ended;
    return { code, text: asked.stdout, error: asked.stderr };
  };
  const read = async (): Promise<Status> => JSON.parse((await status('--json')).text);

  it('shows components with their versions, backlog, shards, suspended roles, stuck workflows and alerts', async () => {
    const found = await eventually(
      'all shards are held',
      async () => {
        const seen = await read();
        return seen.intake?.shards.held === 16 ? seen : undefined;
      },
      60_000,
      200,
    );
    expect(found.components.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'status API ok',
      'Temporal ok',
      'worker of handover ok',
      'worker of handover-bookings ok',
      'worker of handover-database ok',
      'worker of handover-scan ok',
    ]);
    expect(found.components[1]?.detail).toMatch(/server \d+\.\d+/);
    expect(found).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+/),
      statusApis: [{ address: '127.0.0.1', release: null }],
      intake: {
        waiting: 0,
        oldestWaitingSeconds: null,
        unjudged: 0,
        oldestUnjudgedSeconds: null,
        deadLetters: 0,
        shards: { of: 16 },
      },
      suspendedRoles: [],
      alerts: [],
      // the embedded engine is older than 1.30
      stuckWorkflows: null,
    });
    const screen = await status();
    expect(screen.code).toBe(0);
    expect(screen.text.split('\n').length).toBeLessThan(24);
    expect(screen.text).toMatch(/shards of the relay +16 of 16, in 1 processes/);
    expect(screen.text).toMatch(/oldest waits for +none waits/);
    expect(screen.text).toMatch(/stuck workflows +not reported by the server/);
  });

  it('shows Temporal within seconds where the database accepts connections and never answers', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const asked = deployment.run(['status', '--json'], {
      ...env,
      DATABASE_URL: `postgres://handover@127.0.0.1:${port}/handover`,
      TEMPORAL_ADDRESS: `127.0.0.1:${env.HANDOVER_TEMPORAL_PORT}`,
    });
    expect(await asked.ended).toBe(1);
    const { components, intake } = JSON.parse(asked.stdout) as Status;
    expect(components.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'database failing',
      'Temporal ok',
      'worker of handover ok',
      'worker of handover-bookings ok',
      'worker of handover-database ok',
      'worker of handover-scan ok',
    ]);
    expect(intake).toBeNull();
    silent.close();
  }, 30_000);

  it('with everything stopped it shows what does not answer, and ends with code 1', async () => {
    run.signal('SIGINT');
    await run.ended;
    const { code, text } = await status('--json');
    expect(code).toBe(1);
    const { components, intake, alerts } = JSON.parse(text) as Status;
    expect(components.map(({ state }) => state)).toEqual(['failing', 'failing']);
    expect([intake, alerts]).toEqual([null, null]);
    const screen = (await status()).text;
    expect(screen).toMatch(/waiting callbacks +cannot be read/);
    expect(screen).toMatch(/stuck workflows +cannot be read/);
  }, 60_000);
});

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const without = server === undefined ? ' (skipped: no HANDOVER_TEST_DATABASE_URL)' : '';
describe.skipIf(server === undefined)(`handover status of a cluster (Postgres${without})`, () => {
  const database = ownDatabase(server ?? '');
  const all = { state: 'all', limit: 10 } as const;

  it('reads waiting callbacks, those without a verdict and suspended roles from the database, and changes nothing', async () => {
    const url = await database();
    const opened = await openHandoverDatabase({ url, folder: '' });
    const alerts = createAlerts(opened.db, { sealer: { seal: () => Buffer.alloc(0) }, post: false });
    const at = Date.now();
    await alerts.raise({ kind: 'role-suspended', subject: 'supplier', message: 'refused', at });
    const source = databaseSource(url);
    const empty = { deadLetters: 0, shards: { held: 0, of: 16, processes: [] } };
    const { intake, alerts: open } = await source.read();
    expect(open).toEqual([
      { kind: 'role-suspended', subject: 'supplier', since: new Date(at).toISOString(), message: 'refused' },
    ]);
    const none = { waiting: 0, oldestWaitingSeconds: null, unjudged: 0, oldestUnjudgedSeconds: null };
    expect(intake).toEqual({ ...none, ...empty });
    const waiting = ['msg_1', 'msg_2', 'msg_3'].map((eventId, index) => ({
      eventId,
      identity: 'webhook-id' as const,
      channel: 'status' as const,
      path: '/events/reservation/status',
      reservationId: 8421,
      receivedAt: at - (index + 1) * 3_600_000,
      headers: {},
      raw: Buffer.alloc(1),
      contentHash: eventId,
    }));
    await opened.db.insert(inbox).values(waiting);
    const sent = { state: 'sent' as const, sentAt: at - 1_800_000 };
    await opened.db.update(inbox).set(sent).where(eq(inbox.eventId, 'msg_3'));
    const rows = async () => [await opened.db.select().from(inbox), (await alerts.list(all)).items];
    const before = await rows();
    // at an address without Temporal
    const status = await collectStatus(source, embeddedTarget('127.0.0.1:1'));
    expect(status).toMatchObject({
      intake: { waiting: 2, unjudged: 1, ...empty },
      suspendedRoles: ['supplier'],
    });
    expect(status.intake?.oldestWaitingSeconds).toBeGreaterThanOrEqual(7_200);
    expect(status.intake?.oldestWaitingSeconds).toBeLessThan(10_800);
    const screen = toScreen(status);
    expect(screen).toMatch(/waiting callbacks +2$/m);
    expect(screen).toMatch(/oldest waits for +1[2-7]\d min$/m);
    expect(screen).toMatch(/sent, without a verdict +1, the oldest for [3-8]\d min$/m);
    expect(screen).toMatch(/suspended roles +supplier$/m);
    expect(await rows()).toEqual(before);
    await source.close();
    await opened.close();
  });

  it('shows the processes that serve a status API, and no others', async () => {
    const url = await database();
    const opened = await openHandoverDatabase({ url, folder: '' });
    const worker = await opened.session();
    const source = databaseSource(url);
    expect((await source.read()).statusApis).toEqual([]);
    const feeds = [new ChangeFeed(opened, { release: '0.4.0-new' }), new ChangeFeed(opened)];
    await eventually('both follow changes', async () => (await source.read()).statusApis?.length === 2);
    const releases = (await source.read()).statusApis?.map(({ release }) => release);
    expect(new Set(releases)).toEqual(new Set(['0.4.0-new', null]));
    await feeds[0]?.stop();
    await eventually('one has stopped', async () => (await source.read()).statusApis?.length === 1);
    await feeds[1]?.stop();
    await worker.close();
    await source.close();
    await opened.close();
  });

  it('shows the oldest open alert behind more than a page of others', async () => {
    const url = await database();
    const opened = await openHandoverDatabase({ url, folder: '' });
    await opened.db.execute(sql`
      insert into alerts (kind, subject, since, message)
      select 'tasks-late', 'queue-' || one, now(), 'late' from generate_series(1, 1001) as one`);
    const source = databaseSource(url);
    const { alerts } = await source.read();
    expect(alerts).toHaveLength(1002);
    expect(alerts.at(-1)).toMatchObject({ kind: 'role-suspended', subject: 'supplier' });
    await source.close();
    await opened.close();
  });
});
