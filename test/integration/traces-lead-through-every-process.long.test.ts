import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../bench/free-ports.js';
import { ownDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type CollectedSpan, type Collector, startCollector } from '../support/otlp-collector.js';
import { Deployment } from '../support/process.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const without = server === undefined ? ' (skipped: no HANDOVER_TEST_DATABASE_URL)' : '';
const hour = 3_600_000;
const staff = 'staff-token-of-this-test';

/** With the default protocol of the export, and the receiver in a thread of its own. */
describe.skipIf(server === undefined)(`handover api and handover worker export one trace${without}`, () => {
  const database = ownDatabase(server ?? '');
  let deployment: Deployment;
  let collector: Collector;
  beforeAll(async () => {
    collector = await startCollector();
    deployment = await Deployment.create();
    const [port, receiverPort, enginePort] = await freePorts(3);
    const api = `http://127.0.0.1:${port}`;
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const sandbox = deployment.run(['sandbox'], {
      SANDBOX_KEYS: 'channel:channel-key,supplier:supplier-key:11',
      SANDBOX_CALLBACK_URL: `http://127.0.0.1:${receiverPort}`,
      SANDBOX_CALLBACK_SECRET: secret,
    });
    const [, sandboxUrl = ''] = await sandbox.says(/sandbox platform on (\S+)/);
    deployment.run(['engine'], { HANDOVER_TEMPORAL_PORT: String(enginePort) });
    const shared = {
      CALLBACK_SECRETS: secret,
      DATABASE_URL: await database(),
      BLOB_URL: join(deployment.folder, 'photos'),
      CODEC_KEYS: `one:${randomBytes(32).toString('base64')}`,
      TEMPORAL_ADDRESS: `127.0.0.1:${enginePort}`,
      PLATFORM_BASE_URL: sandboxUrl,
      PLATFORM_CHANNEL_API_KEY: 'channel-key',
      PLATFORM_SUPPLIER_API_KEY: 'supplier-key',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    };
    const ofApi = {
      HANDOVER_PORT: String(port),
      CALLBACK_PORT: String(receiverPort),
      HANDOVER_TOKENS: `staff:${staff}`,
    };
    const runs = [deployment.run(['api'], { ...shared, ...ofApi }), deployment.run(['worker'], shared)];
    await runs[0]?.says(/status API on/);
    await runs[1]?.says(/worker and relay run/);
    await eventually('it is ready', async () => (await fetch(`${api}/readyz`)).status === 200, 60_000, 100);
    const startAt = Date.now() + 24 * hour;
    const booked = await fetch(`${api}/api/reservations`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${staff}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({
        productId: 301,
        startAt: new Date(startAt).toISOString(),
        endAt: new Date(startAt + 4 * hour).toISOString(),
        pickupAddress: '1 Sejong-daero',
        driver: {
          name: 'Hong Gil-dong',
          birth: '19850417',
          phone: '01055512001',
          licenseNumber: '11-85-004170-01',
          address: '12 Driver-ro',
        },
      }),
    });
    expect(booked.status, await booked.text()).toBe(201);
  }, 300_000);
  afterAll(async () => {
    await deployment?.remove();
    await collector?.close();
  });

  /** `service: span`, from the first span of the trace down to this one. Each process exports at a time of its own. */
  const wholeWayTo = (span: CollectedSpan): Promise<string[]> =>
    eventually(`the first span of the trace of ${span.name}`, () => {
      const way = collector.wayTo(span);
      return way[0]?.parentSpanId === '' && way.map(({ service, name }) => `${service}: ${name}`);
    });

  it('of a request, from the api to the request of the worker to the platform', async () => {
    expect(await wholeWayTo(await collector.span('platform book'))).toEqual([
      'handover-api: POST /api/reservations',
      'handover-api: start booking',
      'handover-worker: workflow booking',
      'handover-worker: activity book',
      'handover-worker: platform book',
    ]);
  });

  it('of a callback, from the receiver to the verdict that the worker records', async () => {
    const way = await wholeWayTo(await collector.span('verdict'));
    const [received, ...rest] = way;
    expect(received).toMatch(/^handover-receiver: POST \/events\//);
    expect(rest.slice(0, 2)).toEqual(['handover-receiver: inbox', 'handover-worker: relay']);
    expect(rest.slice(-2)).toEqual(['handover-worker: workflow signal events', 'handover-worker: verdict']);
  });

  it('in protobuf, and no other service exports', () => {
    expect(collector.headers['content-type']).toBe('application/x-protobuf');
    const services = new Set(collector.spans.map(({ service }) => service));
    expect([...services].sort()).toEqual(['handover-api', 'handover-receiver', 'handover-worker']);
  });
});
