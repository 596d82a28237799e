import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { shardCount } from '../../src/store/callbacks/shard.js';
import { freePort } from '../../src/temporal/server/ports.js';
import { DemoHttp, isTransient } from '../../src/tools/demo/http.js';
import { isEnded, nextMove } from '../../src/tools/demo/scenarios.js';
import { type ReceivedCallback, startReceiver } from '../support/callback-receiver.js';
import { shardsIn } from '../support/crash/shards-in-log.js';
import { ownDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Deployment, type Run } from '../support/process.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const without = server === undefined ? ' (skipped: no HANDOVER_TEST_DATABASE_URL)' : '';

describe.skipIf(server === undefined)(`four processes on one Postgres${without}`, () => {
  const database = ownDatabase(server ?? '');
  const stop = new AbortController();
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await Deployment.create();
  });
  afterAll(async () => {
    stop.abort();
    await deployment?.remove();
  });

  it('carry a booking to its end, also over a time without a worker, and a worker that is killed', async () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const port = await freePort();
    const apiUrl = `http://127.0.0.1:${port}`;
    const sandbox = deployment.run(['sandbox'], {
      SANDBOX_KEYS: 'channel:channel-key,supplier:supplier-key:11',
      SANDBOX_CALLBACK_URL: apiUrl,
      SANDBOX_CALLBACK_SECRET: secret,
    });
    const [, sandboxUrl = ''] = await sandbox.says(/sandbox platform on (\S+)/);
    const enginePort = await freePort();
    const address = `127.0.0.1:${enginePort}`;
    const shared = {
      CALLBACK_SECRETS: secret,
      DATABASE_URL: await database(),
      BLOB_URL: join(deployment.folder, 'photos'),
      CODEC_KEYS: `one:${randomBytes(32).toString('base64')}`,
      TEMPORAL_ADDRESS: address,
      // worker and api alike: a role without a key is off in either
      PLATFORM_BASE_URL: sandboxUrl,
      PLATFORM_CHANNEL_API_KEY: 'channel-key',
      PLATFORM_SUPPLIER_API_KEY: 'supplier-key',
    };
    const operations = await startReceiver();
    onTestFinished(() => operations.close());
    const api = deployment.run(['api'], {
      ...shared,
      HANDOVER_PORT: String(port),
      HANDOVER_TOKENS: 'staff:staff-token-of-this-test',
      ALERT_URL: operations.url,
      ALERT_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
      INTAKE_BACKLOG_AFTER: 'PT1S',
    });
    await api.says(/status API and receiver on/);
    const startWorker = async () => {
      const worker = deployment.run(['worker'], shared);
      await worker.says(/worker and relay run/);
      return worker;
    };
    const first = deployment.run(['worker'], shared);
    const [, health = ''] = await first.says(/health and metrics on (\S+)/);
    await eventually('it says that it waits', () => /Temporal cannot be used/.test(first.stderr), 30_000);
    expect(await statusOf(`${health}/healthz`)).toBe(200);
    expect(await statusOf(`${health}/readyz`)).toBe(503);
    expect(await statusOf(`${apiUrl}/readyz/intake`)).toBe(200);
    const engine = deployment.run(['engine'], { HANDOVER_TEMPORAL_PORT: String(enginePort) });
    await first.says(/worker and relay run/);
    await eventually('it is ready', async () => (await statusOf(`${health}/readyz`)) === 200, 30_000, 50);
    await eventually('so is the API', async () => (await statusOf(`${apiUrl}/readyz`)) === 200, 30_000, 50);
    const sdkMetrics = /^temporal_\w+\{.*task_queue="handover-scan"/m;
    await eventually('it shows the metrics of the SDK', async () =>
      sdkMetrics.test(await (await fetch(`${health}/metrics`)).text()),
    );
    const http = new DemoHttp({
      apiUrl,
      sandboxUrl,
      token: 'staff-token-of-this-test',
      supplierKey: 'supplier-key',
      signal: stop.signal,
    });

    const [productId = 0] = await http.listProducts();
    const id = await http.book(productId, 'memo', Date.now() + 3_600_000, Date.now() + 7_200_000);
    const reach = (code: number) => playUntil(http, id, code);
    const changes = await followChanges(apiUrl, 'staff-token-of-this-test');
    await reach(15);
    await eventually('the API streams what the worker writes', () =>
      changes.text.includes(`event: reservation\ndata: {"id":${id},`),
    );
    await ends(first, 'SIGTERM');
    await http.makeMove(id, { who: 'customer', move: 'start-use' });
    await eventually('the callbacks wait', async () => (await metric(apiUrl, 'waiting_events')) > 0);
    await eventually('their age is shown', async () => (await metric(apiUrl, 'oldest_waiting_seconds')) > 0);
    const isBacklog = ({ body }: ReceivedCallback) => body?.kind === 'intake-backlog';
    await eventually('the API posts the alert', () => operations.received.some(isBacklog), 30_000);
    const second = await startWorker();
    const shardsOf = (run: Run) => shardsIn(run.stderr);
    await eventually('its relay has all shards', () => shardsOf(second) === shardCount);
    await reach(20);
    const third = await startWorker();
    await eventually('each has half of them', () => shardsOf(second) === 8 && shardsOf(third) === 8);
    await second.kill();
    await eventually('the other takes them over', () => shardsOf(third) === shardCount);
    await reach(35);
    await eventually('no event waits', async () => (await metric(apiUrl, 'waiting_events')) === 0);
    expect(changes.isEnded).toBe(false);
    for (const run of [third, api, sandbox, engine]) await ends(run, 'SIGTERM');
    expect(changes.isEnded).toBe(true);
  }, 400_000);
});

/** Reads the stream of changes. */
async function followChanges(apiUrl: string, token: string): Promise<{ text: string; isEnded: boolean }> {
  const changes = { text: '', isEnded: false };
  const response = await fetch(`${apiUrl}/api/changes`, { headers: { authorization: `Bearer ${token}` } });
  const read = async () => {
    for await (const chunk of response.body ?? []) changes.text += Buffer.from(chunk).toString();
  };
  void read().finally(() => {
    changes.isEnded = true;
  });
  return changes;
}

/** Plays the on-time story as far as a status. */
async function playUntil(http: DemoHttp, id: number, code: number): Promise<void> {
  await eventually(
    `status ${code}`,
    async () => {
      try {
        const seen = await http.readReservation(id);
        if (seen === undefined || seen.status.code === code) return seen?.status.code === code;
        expect(isEnded(seen)).toBe(false);
        const move = nextMove('on-time', seen, Date.now());
        if (move.who !== 'none') await http.makeMove(id, move);
      } catch (error) {
        if (!isTransient(error)) throw error;
      }
      return false;
    },
    60_000,
  );
}

async function statusOf(url: string): Promise<number> {
  return (await fetch(url)).status;
}

/** A gauge of the inbox. */
async function metric(apiUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${apiUrl}/metrics`)).text();
  return Number(new RegExp(`^handover_inbox_${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

async function ends(run: Run, signal: NodeJS.Signals): Promise<void> {
  run.signal(signal);
  expect(await run.ended).toBe(0);
}
